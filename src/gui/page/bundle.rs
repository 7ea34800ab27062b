//! One script in place of the modules of the page, which would take a request each.

use super::PageFile;

/// Makes a script of a module and all that it imports, each after those that it imports itself. A module
/// becomes a function that returns what it exports. The modules are formatted by Prettier: statements begin
/// at the start of a line.
pub(super) fn bundle(entry: &str, modules: &[PageFile]) -> String {
    let mut script = String::from("const modules = {};\n");
    add(entry, modules, &mut Vec::new(), &mut script);
    script
}

fn add<'a>(name: &'a str, modules: &'a [PageFile], added: &mut Vec<&'a str>, script: &mut String) {
    if added.contains(&name) {
        return;
    }
    added.push(name);
    let Some(module) = modules.iter().find(|module| module.name == name) else { return };
    for import in imports(&module.content) {
        add(import, modules, added, script);
    }
    let exports: Vec<&str> = module.content.lines().filter_map(exported).collect();
    let body = module.content.replace("\nexport ", "\n").replace("\nimport {", "\nconst {");
    let body = body.replace("} from \"./", "} = modules[\"").replace(".js\";\n", ".js\"];\n");
    *script += &format!(
        "modules[\"{name}\"] = (() => {{\n{body}\nreturn {{ {} }};\n}})();\n",
        exports.join(", ")
    );
}

/// The names of the modules that a module imports.
pub(super) fn imports(module: &str) -> impl Iterator<Item = &str> {
    module.split("} from \"./").skip(1).filter_map(|rest| rest.split('"').next())
}

/// The name that a line of a module exports.
fn exported(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("export ")?.trim_start_matches("async ");
    let name = rest.split_once(' ')?.1;
    name.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    #[test]
    fn modules_become_functions_in_the_order_of_their_imports() {
        let module = |name, content| PageFile {
            name,
            content_type: "text/javascript",
            content: Cow::Borrowed(content),
        };
        let modules = [
            module(
                "app.js",
                "// App.\nimport {\n  one,\n  Two,\n} from \"./one.js\";\n\none(Two);\n",
            ),
            module("one.js", "// One.\n\nexport const one = 1;\nexport class Two {}\n"),
        ];
        let expected = "const modules = {};\n\
            modules[\"one.js\"] = (() => {\n// One.\n\nconst one = 1;\nclass Two {}\n\nreturn { one, Two };\n})();\n\
            modules[\"app.js\"] = (() => {\n// App.\nconst {\n  one,\n  Two,\n} = modules[\"one.js\"];\n\n\
            one(Two);\n\nreturn {  };\n})();\n";
        assert_eq!(bundle("app.js", &modules), expected);
    }
}
