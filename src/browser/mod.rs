//! Components of web pages that the tournament report and the board in the browser share: drawing
//! of boards, charts and tournaments, helpers for elements and numbers, and their styles.
//!
//! The scripts are ES modules, which the browser board serves as they are. The report is a single
//! file and embeds them as one classic script.

/// Helpers for elements, and number formats.
pub const DOM: &str = include_str!("dom.js");
/// Boards drawn from a layout.
pub const BOARD: &str = include_str!("board.js");
pub const CHARTS: &str = include_str!("charts.js");
/// The tables and charts of a tournament.
pub const TOURNAMENT: &str = include_str!("tournament.js");
/// The variables of the styles: colours for light and dark schemes, and fonts.
pub const VARIABLES: &str = include_str!("variables.css");
/// The variables, and the styles of boards, charts and tables.
pub const STYLE: &str = concat!(include_str!("variables.css"), include_str!("components.css"));

/// Replaces the variables of a drawing by the colours of the light scheme, for a file of its own.
pub fn without_variables(drawing: &str) -> String {
    let mut parts = drawing.split("var(--");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(')').unwrap_or((part, ""));
        let value = VARIABLES.split_once(&format!("--{name}: light-dark("));
        let colour = value.and_then(|(_, colours)| colours.split(',').next());
        text.extend([colour.unwrap_or("currentColor"), rest]);
    }
    text
}

/// Turns a module into a classic script: its imports are dropped, so the modules that it imports
/// must precede it, and what it exports becomes global.
pub fn to_classic_script(module: &str) -> String {
    let lines = module.lines().filter(|line| !line.starts_with("import "));
    lines.flat_map(|line| [line.strip_prefix("export ").unwrap_or(line), "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_replaced_by_the_colours_of_the_light_scheme() {
        let drawing = "<path stroke=\"var(--ink)\" fill=\"var(--no-such)\"/>";
        let expected = "<path stroke=\"#1d2126\" fill=\"currentColor\"/>";
        assert_eq!(without_variables(drawing), expected);
    }

    #[test]
    fn classic_scripts_have_neither_imports_nor_exports() {
        let module = "import { one } from \"./one.js\";\nexport const TWO = one + 1;\n";
        assert_eq!(to_classic_script(module), "const TWO = one + 1;\n");
        for module in [DOM, BOARD, CHARTS, TOURNAMENT] {
            let script = to_classic_script(module);
            let is_module_syntax =
                |line: &str| line.starts_with("import") || line.starts_with("export");
            assert!(!script.lines().any(is_module_syntax), "{script}");
        }
    }
}
