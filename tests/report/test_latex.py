from cascurve.report.latex import escaped, tabular


def test_special_signs_are_escaped() -> None:
    assert escaped("a_b & 50 % {x} \\ R² ≥ 1") == r"a\_b \& 50 \% \{x\} \textbackslash{} R$^2$ $\geq$ 1"


def test_a_table_has_one_line_per_row_and_numbers_to_the_right() -> None:
    made = tabular(["model", "r2"], [["cdk", 0.94321], ["pae", None], ["iae", -1.5]], "Fits of $x$.", "tab:fits")
    assert r"\begin{tabular}{lr}" in made
    assert "cdk & 0.943 \\\\\npae & -- \\\\\niae & $-$1.5 \\\\\n\\bottomrule" in made
    assert r"\caption{Fits of $x$.}" in made
    assert made.count("\\\\\n") == 4
