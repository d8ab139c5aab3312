//! Writes every generated file of the checkout, or with `--check` names the stale ones.

use std::process::ExitCode;

const HELP: &str = "\
Generates types and tables from schema/.

Usage: cargo run -p toolwire-codegen [-- --check]

  --check   write nothing; name each stale file and exit with 1
  --help    print this text
";

fn main() -> ExitCode {
    let mut check = false;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--check" => check = true,
            "--help" | "-h" => {
                print!("{HELP}");
                return ExitCode::SUCCESS;
            }
            other => {
                eprintln!("error: unknown argument `{other}`; see `--help`");
                return ExitCode::from(2);
            }
        }
    }
    match run(check) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(check: bool) -> Result<ExitCode, String> {
    let root = toolwire_codegen::checkout();
    let stale = toolwire_codegen::stale(&root)?;
    if check {
        for output in &stale {
            eprintln!("stale: {}; run `cargo xtask codegen`", output.path);
        }
        return Ok(if stale.is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        });
    }
    for output in &stale {
        output.write(&root)?;
        println!("wrote {}", output.path);
    }
    if stale.is_empty() {
        println!("every generated file is up to date");
    }
    Ok(ExitCode::SUCCESS)
}
