"""Draws the curve as an SVG that follows the reader's light or dark theme."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo_frontier.curve import Point

WIDTH, HEIGHT = 760, 440
LEFT, RIGHT, TOP, BOTTOM = 64, 120, 44, 56

STYLE = """\
text { font: 13px sans-serif; fill: #1f2328; }
.back { fill: #ffffff; }
.grid { stroke: #d1d9e0; }
.axis { stroke: #59636e; }
.title { font-size: 15px; }
.t1 { --c: #0969da; } .t10 { --c: #1a7f37; } .t60 { --c: #9a6700; } .t600 { --c: #cf222e; }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc; }
.back { fill: #0d1117; }
.grid { stroke: #3d444d; }
.axis { stroke: #9198a1; }
.t1 { --c: #4493f8; } .t10 { --c: #3fb950; } .t60 { --c: #d29922; } .t600 { --c: #f85149; }
}
.line { fill: none; stroke: var(--c); stroke-width: 2.2; }
.band { fill: var(--c); opacity: 0.13; }
.dot, .name { fill: var(--c); }"""


def draw(points: Sequence[Point], games: int) -> str:
    """Draws the share of proven positions over the ply, a line with its 95 % band per time."""
    plies = sorted({point.ply for point in points})
    first, last = plies[0], max(plies[-1], plies[0] + 2)

    def x(ply: int) -> float:
        return LEFT + (ply - first) / (last - first) * (WIDTH - LEFT - RIGHT)

    def y(share: float) -> float:
        return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
        f"<title>Share of TixTax self-play positions proven in time, by ply</title>\n<style>\n{STYLE}\n</style>",
        f'<rect class="back" width="{WIDTH}" height="{HEIGHT}"/>',
        f'<text class="title" x="{LEFT}" y="24">Positions of {games} self-play games proven in time, one thread</text>',
    ]
    for percent in range(0, 101, 20):
        at = y(percent / 100)
        parts.append(f'<line class="grid" x1="{LEFT}" y1="{at:.1f}" x2="{WIDTH - RIGHT}" y2="{at:.1f}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{at + 4.5:.1f}" text-anchor="end">{percent} %</text>')
    for ply in plies:
        parts.append(f'<text x="{x(ply):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{ply}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<line class="axis" x1="{LEFT}" y1="{y(0):.1f}" x2="{WIDTH - RIGHT}" y2="{y(0):.1f}"/>')
    parts.append(f'<text x="{middle:.0f}" y="{HEIGHT - 12}" text-anchor="middle">plies played</text>')
    height = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(
        f'<text transform="translate(16 {height:.0f}) rotate(-90)" text-anchor="middle">positions proven</text>'
    )
    labels: list[float] = []
    for time in sorted({point.time for point in points}, reverse=True):
        line = sorted((point for point in points if point.time == time), key=lambda point: point.ply)
        upper = [f"{x(point.ply):.1f},{y(point.interval[1]):.1f}" for point in line]
        lower = [f"{x(point.ply):.1f},{y(point.interval[0]):.1f}" for point in reversed(line)]
        parts.append(f'<g class="t{time:g}"><polygon class="band" points="{" ".join(upper + lower)}"/>')
        parts.append(f'<polyline class="line" points="{" ".join(f"{x(p.ply):.1f},{y(p.share):.1f}" for p in line)}"/>')
        parts += [f'<circle class="dot" cx="{x(p.ply):.1f}" cy="{y(p.share):.1f}" r="3"/>' for p in line]
        labels.append(time)
        at = TOP + 18 * len(labels)
        parts.append(f'<text class="name" x="{WIDTH - RIGHT + 14}" y="{at}">within {time:g} s</text></g>')
    parts.append(f'<text x="{WIDTH - RIGHT + 14}" y="{TOP + 18 * len(labels) + 24}">bands: 95 %</text>')
    return "\n".join([*parts, "</svg>", ""])
