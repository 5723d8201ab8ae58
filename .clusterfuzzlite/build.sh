#!/usr/bin/env bash
# Puts the fuzz targets into $OUT as OSS-Fuzz and ClusterFuzzLite want them: each with a zip of
# seeds, a dictionary and its options. It needs no container; the environment says the rest:
#
#   OUT          where to put them
#   SRC          the folder with HaloProtocol in it, if this script does not lie in a clone
#   WORK         where to work (a new folder in /tmp)
#   BUILD        where to build (a folder in WORK); what was built there before is used
#   SANITIZER    address (the default), coverage, or none
#   TARGETS      which targets (all but the canary)
set -euo pipefail
: "${OUT:?"OUT must say where the targets go"}"
sanitizer=${SANITIZER:-address}
work=${WORK:-$(mktemp -d)}
build=${BUILD:-$work/fuzz}
root=$(cd "$(dirname "$0")/.." && pwd)
[ -x "$root/Tests/Tools/Fuzz/build" ] || root=${SRC:?"SRC must say where HaloProtocol is"}/HaloProtocol

case $sanitizer in
address) flags=(fuzzer,address) ;;
coverage) flags=(fuzzer -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping) ;;
none) flags=(fuzzer) ;;
*)
    echo "Swift on Linux has no sanitizer called $sanitizer here" >&2
    exit 2
    ;;
esac

# Where targets run there is no Swift. One target needs no others.
read -r -a named <<<"${TARGETS:-}"
products=()
if [ ${#named[@]} -eq 1 ]; then products=("${named[0]}" Seeds); fi
for product in "${products[@]:-}"; do
    "$root/Tests/Tools/Fuzz/build" "$build" "${flags[@]}" --static-swift-stdlib \
        ${product:+--product "$product"}
done
bin=$build/release

mkdir -p "$OUT" "$work/seeds"
find "$root/Fixtures" -name '*.halo' -print0 |
    ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0} SWIFT_BACKTRACE=enable=no \
        HALO_SEEDS=$work/seeds xargs -0 "$bin/Seeds" 2>"$work/seeds.log" ||
    { tail -n 20 "$work/seeds.log" >&2 && exit 1; }

zip_folder() { # FOLDER ZIP
    if command -v zip >/dev/null; then
        (cd "$1" && zip -qr "$2" .)
    else
        (cd "$1" && python3 -m zipfile -c "$2" ./*)
    fi
}

for target in ${TARGETS:-$("$root/Tests/Tools/Fuzz/run" --list | grep -v '^Canary$')}; do
    cp "$bin/$target" "$OUT/$target"
    cp "$root/Tests/Tools/Fuzz/halo.dict" "$OUT/$target.dict"
    printf '[libfuzzer]\nuse_value_profile = 1\nmax_len = 4096\n' >"$OUT/$target.options"
    corpus=$work/corpus/$target
    rm -rf "$corpus"
    mkdir -p "$corpus"
    for folder in "$work/seeds/$target" "$root/Tests/Tools/Fuzz/Regressions/$target"; do
        [ ! -d "$folder" ] || cp "$folder"/* "$corpus/"
    done
    rm -f "$OUT/${target}_seed_corpus.zip"
    [ -z "$(ls "$corpus")" ] || zip_folder "$corpus" "$OUT/${target}_seed_corpus.zip"
done
symbolizer=$(command -v llvm-symbolizer-swift || true)
[ -z "$symbolizer" ] || cp "$symbolizer" "$OUT/llvm-symbolizer"
