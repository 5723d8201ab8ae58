import Testing

@testable import halo

/// Whole charts as text.
struct ChartGoldenTests {
    /// A minute of heart rates with a gap.
    static var chart: LiveChart {
        let quantity = LiveChart.Quantity(
            title: "Heart rate", unit: "bpm", minimumSpan: 20, lowerBound: 0)
        var chart = LiveChart(quantity, windowSeconds: 60)
        for second in 0..<60 {
            let phase = Double(second % 20) - 10
            let isGap = 30..<36 ~= second
            chart.append(isGap ? nil : 70 + phase * phase / 5, at: Double(second))
        }
        return chart
    }

    private func text(_ columns: Int, _ rows: Int, _ glyphs: GlyphSet) -> String {
        Self.chart.lines(columns: columns, rows: rows, glyphs: glyphs) { _ in .red }
            .map(\.text).joined(separator: "\n")
    }

    @Test func isDrawnWithBraille() {
        #expect(
            text(20, 5, .braille)
                == """
                Heart rate  86 bpm
                95┤⢠     ⡄    ⢠
                  │⠈⣇   ⡞⢹⡀  ⢰⠋⣇   ⡞
                70┤ ⠘⢦⣀⡼⠁ ⠳⡄ ⠉ ⠘⢦⣀⡼⠁
                   ╵-60 s       now╵
                """)
        #expect(
            text(60, 15, .braille)
                == """
                Heart rate  86 bpm                                 70–90 bpm
                95┤
                  │
                90┤ ⢤                 ⢠⡄                 ⢠⡄
                  │ ⢸                 ⡼⢧                 ⡼⢧
                  │ ⠸⡄               ⢠⠇⠸⡄               ⢠⠇⠸⡄               ⢠
                85┤  ⢳               ⡼  ⢳               ⡼  ⢳               ⡼
                  │  ⠘⡆             ⢰⠃  ⠘⡆             ⢰⠃  ⠘⡆             ⢰⠃
                80┤   ⢹⡀            ⣸    ⢹⡀           ⢀⡏    ⣇            ⢀⡏
                  │    ⢳           ⢠⠇     ⢳           ⡼     ⠘⡆           ⡼
                  │    ⠈⢧         ⢀⡏      ⠈⢧         ⠈⠁      ⠹⡄         ⣸⠁
                75┤     ⠘⢦       ⢀⡞        ⠘⡆                 ⠳⡄       ⣰⠃
                  │      ⠈⢳⡀    ⣠⠏          ⠙⣆                 ⠙⣆    ⢀⡼⠁
                70┤        ⠙⣆⣀⣠⠞⠁            ⠈⠳⡄                ⠈⠳⣄⣀⣰⠋
                   ╵-60 s        ╵-45 s        ╵-30 s        ╵-15 s     now╵
                """)
    }

    @Test func isDrawnWithBlocks() {
        #expect(
            text(20, 5, .blocks)
                == """
                Heart rate  86 bpm
                95┤ ▄    ▄    ▄
                  │ █▄  █▀█  ▄██   █
                70┤  █▄█▀ ▀█ ▀ ▀█▄█▀
                   │-60 s       now│
                """)
        #expect(
            text(60, 15, .blocks)
                == """
                Heart rate  86 bpm                                 70-90 bpm
                95┤
                  │
                90┤ ▄                 ▄▄                 ▄▄
                  │ █                 ██                 ██
                  │ █▄               ▄██▄               ▄██▄               ▄
                85┤  █               █  █               █  █               █
                  │  ▀█             █▀  ▀█             █▀  ▀█             █▀
                80┤   █▄           ▄█    █▄           ▄█    █▄           ▄█
                  │    █           █      █           █      █           █
                  │    ▀█         █▀      ▀█         ▀▀      ▀█         █▀
                75┤     ▀█        █        ▀█                 █        █▀
                  │      ▀█▄    ▄█▀         ▀█▄               ▀█▄    ▄█▀
                70┤        ▀█▄▄█▀             ▀█                ▀█▄▄█▀
                   │-60 s        │-45 s        │-30 s        │-15 s     now│
                """)
    }

    @Test func isDrawnWithASCII() {
        #expect(
            text(20, 5, .ascii)
                == """
                Heart rate  86 bpm
                95+ .    .    .
                  | :.  :':  .::   :
                70+  :.:' ': ' ':.:'
                   '-60 s       now'
                """)
        #expect(
            text(60, 15, .ascii)
                == """
                Heart rate  86 bpm                                 70-90 bpm
                95+
                  |
                90+ .                 ..                 ..
                  | :                 ::                 ::
                  | :.               .::.               .::.               .
                85+  :               :  :               :  :               :
                  |  ':             :'  ':             :'  ':             :'
                80+   :.           .:    :.           .:    :.           .:
                  |    :           :      :           :      :           :
                  |    ':         :'      ':         ''      ':         :'
                75+     ':        :        ':                 :        :'
                  |      ':.    .:'         ':.               ':.    .:'
                70+        ':..:'             ':                ':..:'
                   '-60 s        '-45 s        '-30 s        '-15 s     now'
                """)
    }
}
