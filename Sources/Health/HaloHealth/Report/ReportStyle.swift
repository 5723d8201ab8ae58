/// The style sheet of a page, for light and dark, phones and desks, and paper.
enum ReportStyle {
    /// The policy of a page: nothing is loaded, and no other style than ``sheet`` counts.
    static let policy = """
        default-src 'none'; style-src 'sha256-\(digest)'; base-uri 'none'; form-action 'none'
        """

    /// The SHA-256 digest of ``sheet`` in Base64.
    private static let digest = "Qf1Gld17lnDs9J3J8O+muuZI/+MGM4beDb70QaPTFQI="

    static let fonts: HTMLText = """
        system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif
        """

    /// The colours, and the marks of charts.
    static let charts: HTMLText = """
        :root{color-scheme:light dark;--bg:#f4f4f7;--card:#fff;--ink:#1c1c1e;--soft:#636368;\
        --line:#e4e4ea;--hover:#1c1c1e12;--join:#b9b9c4;\
        --sl:#4b3fc4;--hr:#cf2247;--st:#1a7a43;--hv:#7c3aca;--ox:#0a7285;--ss:#985200;\
        --te:#b0402a;--ba:#4f6172;--s0:#85858c;--s1:#d9622b;--s2:#1f8fc4;--s3:#3f6fe0;--s4:#3a2fa6}
        @media screen and (prefers-color-scheme:dark){:root{--bg:#000;--card:#1c1c1e;--ink:#f5f5f7;\
        --soft:#a2a2a8;--line:#343438;--hover:#ffffff1a;--join:#5b5b66;\
        --sl:#a79cff;--hr:#ff6482;--st:#4fd68a;--hv:#c792ff;--ox:#54cfe0;--ss:#ffb454;\
        --te:#ff9377;--ba:#a5b7c9;--s0:#8e8e93;--s1:#ff9566;--s2:#6ccff6;--s3:#5e92ff;--s4:#7b6cf0}}
        .sl{--k:var(--sl)}.hr{--k:var(--hr)}.st{--k:var(--st)}.hv{--k:var(--hv)}\
        .ox{--k:var(--ox)}.ss{--k:var(--ss)}.te{--k:var(--te)}.ba{--k:var(--ba)}
        path{fill:none}
        text{font-size:22px;fill:var(--soft)}
        .e{text-anchor:end}.m{text-anchor:middle}
        .g{stroke:var(--line);stroke-width:2}
        .l{stroke:var(--k);stroke-width:4;stroke-linecap:round;stroke-linejoin:round}
        .d{stroke:var(--k);stroke-width:13;stroke-linecap:round}
        .o{stroke:var(--card);stroke-width:12;stroke-linecap:round}
        .b{fill:var(--k)}
        .r{fill:var(--k);fill-opacity:.18}
        .f{fill:var(--k);fill-opacity:.4}
        .q{fill:var(--sl);fill-opacity:.09}
        .z{stroke:var(--k);stroke-width:3;stroke-dasharray:4 10;stroke-linecap:round}
        .x{stroke:var(--join);stroke-width:3}
        .s0{fill:var(--s0)}.s1{fill:var(--s1)}.s2{fill:var(--s2)}\
        .s3{fill:var(--s3)}.s4{fill:var(--s4)}

        """

    static let sheet: HTMLText = """
        \(charts)\
        *{box-sizing:border-box}
        body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.45 \(fonts);\
        font-variant-numeric:tabular-nums;\
        -webkit-text-size-adjust:100%}
        header,main,footer{max-width:1160px;margin:0 auto;padding:0 20px}
        header{padding-top:44px}
        h1,h2,h3,h4,p,dl,dd,ul,ol{margin:0;padding:0}
        h1{font-size:36px;line-height:1.15;letter-spacing:-.022em;font-weight:700}
        h2{font-size:24px;letter-spacing:-.015em;margin:44px 0 16px}
        h3{font-size:24px;letter-spacing:-.015em;font-weight:700}
        h3 small{font-size:16px;font-weight:400;color:var(--soft);letter-spacing:0;margin-left:6px}
        h3 i{font-style:normal;font-size:13px;margin-left:6px}
        .card>h3,h4{font-size:14px;font-weight:600;letter-spacing:0;color:var(--k,var(--ink))}
        .over{font-size:13px;font-weight:600;color:var(--soft);margin-bottom:4px}
        .facts{display:flex;flex-wrap:wrap;gap:12px 36px;margin-top:20px}
        dt{font-size:13px;color:var(--soft)}
        dd{font-weight:600}
        .remarks{list-style:none;margin-top:18px;font-size:14px;color:var(--soft);max-width:70ch}
        nav{display:flex;flex-wrap:wrap;gap:8px;margin-top:28px}
        nav a{font-size:13px;color:var(--ink);text-decoration:none;background:var(--card);\
        border-radius:99px;padding:6px 12px}
        a:focus-visible,summary:focus-visible{outline:2px solid var(--sl);outline-offset:2px}
        .grid{display:grid;grid-template-columns:repeat(6,minmax(0,1fr));gap:16px}
        .half{grid-column:span 3}
        .third{grid-column:span 2}
        .card{background:var(--card);border-radius:20px;padding:18px 20px 16px;\
        display:flex;flex-direction:column}
        .v{margin:2px 0 10px;line-height:1.2;min-height:34px}
        .v b{font-size:28px;font-weight:600;letter-spacing:-.02em}
        .v small{font-size:14px;color:var(--soft);margin:0 5px 0 4px}
        .n{font-size:13px;color:var(--soft);padding-top:8px}.card svg+.n{margin-top:auto}
        .n b{color:var(--ink);font-weight:600}
        .why{font-size:14px;color:var(--soft);margin:6px 0}
        .missing{list-style:none;margin-top:14px;font-size:13px;color:var(--soft);columns:2 22em;\
        column-gap:32px}
        .grid>.missing{grid-column:span 3;columns:1;margin:16px 8px}
        .missing li{break-inside:avoid;padding:3px 0}
        .missing b{font-weight:600;margin-right:4px}
        .note{font-size:14px;color:var(--soft);margin-top:4px}
        svg{display:block;width:100%;height:auto;overflow:visible}
        .t path{fill:transparent}.t path:hover{fill:var(--hover)}
        .key{display:inline-block;margin-right:14px;white-space:nowrap}
        .key i{display:inline-block;width:9px;height:9px;border-radius:3px;margin-right:6px;\
        background:var(--s0)}
        .s1 i{background:var(--s1)}.s2 i{background:var(--s2)}.s3 i{background:var(--s3)}\
        .s4 i{background:var(--s4)}
        .key .night{background:var(--sl);opacity:.3}
        .key .dash{height:0;width:14px;border-radius:0;background:none;\
        border-top:2px dotted var(--k);vertical-align:3px}
        .day{margin-top:44px}
        .day>.grid{margin-top:16px}
        .chips{list-style:none;display:flex;flex-wrap:wrap;gap:8px;margin-top:10px}
        .chips li{background:var(--card);border-radius:99px;padding:5px 13px;font-size:13px}
        .gap{margin-top:16px;font-size:14px;color:var(--soft)}
        .gap b{color:var(--ink);font-weight:600;margin-right:6px}
        section+.gap{margin-top:44px}
        .plain{list-style:none;margin-top:8px}
        .plain li{margin-top:6px}
        details{margin-top:12px}
        summary{cursor:pointer;font-size:14px;color:var(--soft);padding:6px 0}
        .wide{overflow-x:auto}
        .grid+.wide{margin-top:10px}
        table{border-collapse:collapse;font-size:13px;background:var(--card);border-radius:12px;\
        width:100%;margin-top:6px}
        th,td{text-align:right;padding:6px 12px;white-space:nowrap;font-weight:400}
        th:first-child{text-align:left}
        thead th{color:var(--soft)}
        tbody tr{border-top:1px solid var(--line)}
        .no{color:var(--soft)}
        .stages{columns:12em;font-size:13px;list-style:none;margin-top:6px}
        details h4{margin-top:14px}
        footer{margin-top:56px;padding-bottom:44px;font-size:13px;color:var(--soft)}
        footer p{max-width:75ch;margin-top:6px}
        @media (max-width:1000px){.half,.third{grid-column:span 3}.half text{font-size:28px}\
        .third text{font-size:19px}}
        @media (max-width:680px){header{padding-top:28px}h1{font-size:30px}\
        .half,.third,.grid>.missing{grid-column:\
        1/-1}.grid>.missing{margin:8px 0}.trends th,.trends td{padding:6px 7px}\
        header,main,footer{padding-left:14px;padding-right:14px}.grid{gap:12px}\
        .half text{font-size:32px}.third text{font-size:21px}}
        @media print{:root{--bg:#fff;color-scheme:light}@page{margin:12mm}body{font-size:11pt;\
        -webkit-print-color-adjust:exact;print-color-adjust:exact}nav,details{display:none}\
        header{padding-top:0}header,main,footer{max-width:none;padding:0}.card{border:1px \
        solid var(--line);border-radius:12px;padding:10px 12px;break-inside:avoid}\
        .grid{gap:8px}.half,.grid>.missing{grid-column:span 3}.third{grid-column:span 2}\
        text,.half text,.third text{font-size:27px}\
        .day{break-inside:avoid;margin-top:28px}.v b{font-size:20px}.v{min-height:0;\
        margin-bottom:6px}\
        .n,.missing,.why{font-size:11px}h1{font-size:26px}h2{margin:24px 0 10px;font-size:20px}\
        footer{margin-top:20px;padding:0;break-inside:avoid;font-size:11px}h2,h3{break-after:avoid}}

        """
}
