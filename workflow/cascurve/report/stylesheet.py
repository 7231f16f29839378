"""The report's CSS: light and dark, from a phone to a wide screen, and on paper."""

from cascurve.report.pictures import DARK_PAPER

_DARK = (
    f"--ink:#e8e8e8;--soft:#a9b0b8;--paper:{DARK_PAPER};--line:#3a4048;--tint:#20252b;--link:#7db7ff;--warn:#ffb454;"
)


def stylesheet(dark_colours: str) -> str:
    """The whole sheet; `dark_colours` are the figures' colours in dark mode, as CSS declarations."""
    return f"""
:root{{color-scheme:light dark;--ink:#111;--soft:#555;--paper:#fff;--line:#d5d8dc;--tint:#f4f5f7;--link:#0b57a4;
--warn:#9a4a00}}
@media(prefers-color-scheme:dark){{:root{{{_DARK}{dark_colours}}}}}
*{{box-sizing:border-box}}
body{{margin:0 auto;padding:1rem;max-width:74rem;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,sans-serif;overflow-wrap:break-word}}
h1{{font-size:1.6rem;margin:.5rem 0}}
h2{{font-size:1.2rem;margin:2rem 0 .5rem;border-bottom:1px solid var(--line)}}
h2 a{{color:inherit;text-decoration:none}}
a{{color:var(--link)}}
p,li{{max-width:48rem}}
.soft,caption,figcaption{{color:var(--soft)}}
.warn{{border-left:4px solid var(--warn);padding-left:.75rem}}
ul.warn{{padding-left:1.75rem}}
nav a{{display:inline-block;margin-right:1rem;padding:.15rem 0}}
.scroll{{overflow-x:auto;max-width:100%}}
details .scroll{{max-height:70vh;overflow-y:auto}}
table{{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums}}
caption{{text-align:left;padding:.4rem 0;max-width:48rem}}
th,td{{padding:.2rem .6rem;border-bottom:1px solid var(--line);text-align:left;white-space:nowrap;vertical-align:top}}
td.n{{text-align:right}}
table.words td{{white-space:normal;min-width:6rem}}
table.words td:nth-child(4){{min-width:18rem}}
thead th{{position:sticky;top:0;background:var(--tint);white-space:normal}}
summary{{cursor:pointer;padding:.4rem 0}}
pre{{overflow-x:auto;background:var(--tint);padding:.75rem;font-size:.8rem}}
figure{{margin:1.5rem 0}}
figure svg{{display:block;width:100%;height:auto}}
figure svg text{{fill:var(--ink)}}
figcaption{{font-size:.9rem;max-width:48rem}}
figcaption b{{display:block;color:var(--ink)}}
@media print{{details{{display:none}}}}
"""
