import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pyarrow as pa
import pytest
from tests.points_maker import exp3, make_points

from cascurve import plugins
from cascurve.curves.collapse import collapses
from cascurve.curves.comparison import compare_all
from cascurve.curves.errors_in_x import errors_in_x
from cascurve.curves.fitting import fit_points
from cascurve.curves.nulls import nulls
from cascurve.figures.style import save
from cascurve.report.data_card import DataCard
from cascurve.report.page import build
from cascurve.report.paper import claims_of
from cascurve.report.pictures import Picture
from cascurve.reproduction.claims import Finding, as_table
from cascurve.reproduction.table1 import table1

FINDINGS = [
    Finding("R² is high", "R² = .94, Fig. 3", "er", "R² against apce is 0.71 & falls", "curves", "partly"),
    Finding("BA differs", "Fig. A2a", "", "the study has no data for this", "", "no data"),
]
VOID = {"meta", "link", "br", "img"}


def report(
    points: pa.Table,
    pictures: list[Picture] | None = None,
    config: str = "study: mine\n",
    **analyses: pa.Table,
) -> str:
    return build(
        study="mine <1>",
        points=points,
        fits=fit_points(points),
        nulls=nulls(points, seed=1, permutations=10),
        comparisons=compare_all(points, seed=1, resamples=100),
        pictures=pictures or [],
        config=config,
        provenance={"seed": 1, "numpy": "2.4.6"},
        cards=[
            DataCard(
                "android",
                [{"step": "read", "cascades": 120}, {"step": "counts compared", "note": "60, not 61", "warning": True}],
                {"L = 5": [{"step": "split checked", "note": "3 of 9 leak", "warning": True}], "L = 8": []},
                {"licence": "none stated"},
            )
        ],
        analyses={"collapse": collapses(points, seed=1, resamples=100)} | analyses,
        cost=pa.table({"model": ["cdk"], "seconds": [1.5]}),
        downloads={"points (Parquet)": "points.parquet"},
        absent={"digg": "resources/digg2009/digg_votes1.csv"},
        paper={"reproduction": as_table(FINDINGS), "table1": table1(points)},
    )


@pytest.fixture(scope="module")
def plain() -> str:
    return report(make_points())


@pytest.fixture(scope="module")
def full(pictures: list[Picture]) -> str:
    return report(make_points(empirical=("android",), degrees=(4, 8)), pictures)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[Picture]:
    points = make_points(empirical=("android",), degrees=(4, 8))
    folder = tmp_path_factory.mktemp("figures")
    found = []
    for name in ("fig2a", "curves"):
        module = plugins.load("figures", name)
        svg = save(module.draw(points, fit_points(points)), folder / name)[1].read_text()
        found.append(Picture(name, module.TITLE, svg, module.alt_text(points, fit_points(points))))
    return found


class Checker(HTMLParser):
    """Collects open elements, ids, local links and addresses of the page."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        self.ids += [values["id"] or ""] if "id" in values else []
        for key in ("href", "xlink:href"):
            link = values.get(key) or ""
            if link.startswith("#"):
                self.targets.append(link[1:])
        self.loaded += [value for key, value in attrs if key == "src" and value]
        self.loaded += [values.get("href") or ""] if tag == "link" else []

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_well_formed_and_needs_nothing_else(full: str) -> None:
    html = full
    checker = Checker()
    checker.feed(html)
    assert checker.open == []
    assert len(checker.ids) == len(set(checker.ids))
    assert set(checker.targets) <= set(checker.ids)
    assert checker.loaded == ["data:,"]
    assert "<script" not in html
    assert "@import" not in html
    assert html.count('role="img"') == 2


def test_text_from_outside_is_escaped() -> None:
    html = report(make_points(), config="key: <script>alert(1)</script>")
    assert "<script" not in html
    assert "mine &lt;1&gt;" in html


def test_missing_cells_come_first_with_their_reasons(plain: str) -> None:
    rows = make_points().to_pylist()
    for row in rows:
        if row["model"] == "pae" and row["length"] == 10 and row["network"] == "er/100/3":
            row.update(status="reach < 2 %", map=None, smap=None)
    html = report(pa.Table.from_pylist(rows))
    assert html.index("2 of 216 points have no result") < html.index('id="verdicts"')
    assert "reach &lt; 2 %" in html
    assert "None: all 216 points (3 models) have a result." in plain


def test_models_that_miss_the_same_cells_share_a_row() -> None:
    rows = make_points().to_pylist()
    for row in rows:
        if row["network"] == "er/100/3":
            row.update(status="reach < 2 %", map=None, smap=None)
        if row["network"] == "er/100/4" and row["model"] != "pae":
            row.update(status="no scores", map=None, smap=None)
    cells = re.findall(r"<td[^>]*>(.*?)</td>", report(pa.Table.from_pylist(rows)).partition('id="verdicts"')[0])
    lengths = ", ".join(map(str, sorted({row["length"] for row in rows if row["network"] == "er/100/3"})))
    assert cells == [
        *("er", "er/100/4", "ic", lengths, "cdk, random", "no scores"),
        *("er", "er/100/3", "ic", lengths, "all 3", "reach &lt; 2 %"),
    ]


def test_verdicts_between_models_come_before_those_with_a_control(plain: str) -> None:
    glance = re.search(r"<td>cdk / pae</td><td>pae 1\.\d+ \[1\.\d+, 1\.\d+\]</td>", plain)
    assert glance and glance.start() < plain.index("pae ranks better than cdk") < plain.index(
        "2 comparisons with a control"
    )


def test_nulls_stand_beside_each_r2(plain: str) -> None:
    null = nulls(make_points(), seed=1, permutations=10).to_pylist()[1]
    rows = re.findall(r"<tr>.*?</tr>", plain)
    row = next(row for row in rows if "<td>cdk</td><td>apce</td><td>exp3</td>" in row)
    for name in ("r2", "r2_permuted", "r2_log", "r2_log_permuted", "r2_map", "r2_random"):
        assert f">{null[name]:.3g}<".replace("-", "−") in row


def test_low_support_and_the_worth_of_r2_are_said(plain: str) -> None:
    assert "In 72 of 72 data sets a pair is seen fewer than 15 times" in plain
    assert "N and L alone give" in plain


def test_the_fitted_exponents_are_held_against_the_papers(plain: str) -> None:
    assert re.search(
        r"er, cdk against apce: the fitted exponents are a = [01]\.\d\d \[.*?\(1, 1\) lies (in|out)side", plain
    )


def test_the_best_family_is_named() -> None:
    place = {"group": "er", "x": "apce", "r2": 0.9, "aicc": -5.0, "parameters": "{}", "status": "ok"}
    rows = [
        place | {"model": "cdk", "family": "exp3", "left_out_r2": 0.91, "weight": 0.7},
        place | {"model": "cdk", "family": "pow3", "left_out_r2": 0.8, "weight": 0.3},
        place | {"model": "random", "family": "exp3", "left_out_r2": 0.1, "weight": 1.0},
        place | {"model": "pae", "family": "exp3", "left_out_r2": None, "weight": None},
        place | {"model": "iae", "family": "isotonic", "left_out_r2": -0.5, "weight": 1.0},
    ]
    html = report(make_points(), families=pa.Table.from_pylist(rows))
    assert "er, cdk against apce: exp3 predicts left-out networks best (R² 0.91, in 70% of resamples)." in html
    assert html.count("predicts left-out networks best") == 1
    assert "er, iae against apce: no family predicts left-out networks better than their mean does." in html


def test_the_tightest_scaling_is_named(plain: str) -> None:
    """The points follow MAP = curve·L/N, whatever the exponents that are fitted to them."""
    found = re.search(r"er, cdk: the scaling &#x27;(\w+)&#x27; against apce\w* collapses best", plain)
    assert found is not None
    assert found[1] in ("paper", "fitted", "chance")


def test_sets_of_models_that_may_be_the_best_are_named(plain: str) -> None:
    assert "er: not established to be beaten by any other: pae in the easy third; pae in the middle third" in plain


def test_each_third_has_its_own_best_models() -> None:
    crossing = {"a": exp3(1.0, 60.0, 4.0), "b": exp3(2.0, 51.0, 4.0)}
    assert "a in the easy third; a, b in the middle third; b in the hard third." in report(make_points(models=crossing))


def test_the_error_of_the_difficulty_is_weighed() -> None:
    html = report(make_points(), errors_in_x=errors_in_x(make_points(), seed=1, xs=("apce",), draws=20))
    assert "er, cdk against apce: difficulty is known to ±0.0071 (reliability 0.9" in html


def test_points_without_pair_support_are_fine() -> None:
    assert "a pair is seen fewer" not in report(make_points().drop(["pair_support"]))


@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_fits_a_phone_and_a_screen(width: int, full: str, tmp_path: Path) -> None:
    """In headless Chromium: no console message, no request, nothing wider than the window, words for each figure."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        pytest.skip("no Chromium on this machine")
    probe = (
        "<script>onload=()=>{document.querySelectorAll('details').forEach(d=>d.open=true);"
        "const asked=performance.getEntriesByType('resource').filter(e=>!e.name.startsWith('data:')).length;"
        "const mute=[...document.querySelectorAll('figure svg')].filter(s=>!(document.getElementById("
        "s.getAttribute('aria-labelledby'))?.textContent||'').trim()).length;"
        "const small=[...document.querySelectorAll('p,li,td,figcaption')].filter("
        "e=>parseFloat(getComputedStyle(e).fontSize)<12).length;"
        "document.title=(document.documentElement.scrollWidth<=innerWidth?'fits ':'overflows ')+innerWidth"
        "+` asked ${asked} mute ${mute} small ${small}`}"
        "</script></body>"
    )
    page = tmp_path / "report.html"
    # an iframe has any width; a headless window may have a least one
    page.write_text(full.replace("</body>", probe))
    frame = tmp_path / "frame.html"
    frame.write_text(
        f"<iframe src='report.html' style='width:{width}px;height:900px;border:0'></iframe><p id=out></p><script>"
        "onload=()=>setTimeout(()=>{out.textContent=frames[0].document.title},200)</script>"
    )
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--enable-logging=stderr"]
    flags += [f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=3000", "--dump-dom"]
    run = subprocess.run(
        [browser, *flags, frame.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert f">fits {width} asked 0 mute 0 small 0<" in run.stdout
    assert "CONSOLE" not in run.stderr


def test_the_papers_claims_come_before_the_figures_and_link_to_them(full: str) -> None:
    assert full.index('id="verdicts"') < full.index('id="reproduction"') < full.index('id="figures"')
    assert '<td><a href="#curves">curves</a></td><td><b>partly</b></td>' in full
    assert "Of 2 comparisons of a claim with a group of cells: 1 partly, 1 no data." in full
    assert "R² against apce is 0.71 &amp; falls" in full


def test_table1_stands_beside_chance_and_absent_data_are_named(full: str) -> None:
    assert "digg, embedded_ic: a random list of k users reaches the five published values among" in full
    assert "This study measures no MAP@k on real data." in full
    assert "digg: left out, as there is no file resources/digg2009/digg_votes1.csv." in full
    assert "@article{" in full


def test_a_figure_carries_the_claims_it_shows() -> None:
    notes = claims_of(as_table(FINDINGS), "curves")
    html = Picture("curves", "t", "<svg viewBox='0 0 1 1'></svg>", "words", tuple(notes)).html()
    assert "The paper: R² is high (R² = .94, Fig. 3). er: partly; R² against apce is 0.71 &amp; falls." in html
    assert claims_of(as_table(FINDINGS), "fig3") == []
