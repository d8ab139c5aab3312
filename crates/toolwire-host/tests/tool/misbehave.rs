//! A tool for the tests: it does what its first argument says, good or bad.

use std::io::{self, Read as _, Write as _};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let what = args.next().unwrap_or_default();
    let mut next = || args.next().unwrap_or_default();
    match what.to_str().unwrap_or_default() {
        "nothing" => {}
        // Each argument in hexadecimal digits, so that no character can hide.
        "arguments" => {
            for argument in args {
                let bytes = argument.as_encoded_bytes();
                let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                println!("{digits}");
            }
        }
        "environment" => {
            for (name, value) in std::env::vars_os() {
                println!("{}={}", name.display(), value.display());
            }
        }
        "folder" => println!("{}", std::env::current_dir().unwrap_or_default().display()),
        "echo" => {
            let mut input = Vec::new();
            io::stdin().read_to_end(&mut input).expect("stdin");
            io::stdout().write_all(&input).expect("stdout");
        }
        "print" => print!("{}", next().display()),
        "fail" => {
            print!("{}", next().display());
            eprint!("{}", next().display());
            return ExitCode::from(3);
        }
        "abort" => std::process::abort(),
        "binary" => io::stdout()
            .write_all(&[0, 159, 146, 150, 255, 10])
            .expect("stdout"),
        "sleep" => sleep(&next().to_string_lossy()),
        "print-then-sleep" => {
            print!("{}", next().display());
            io::stdout().flush().expect("stdout");
            sleep("600");
        }
        // A child, its child, and this one, all alive; their numbers go to a file.
        "tree" => {
            let file = next();
            let _ = child(&["branch"]).arg(&file).status();
        }
        "branch" => {
            let file = next();
            let mut grandchild = child(&["sleep", "600"]).spawn().expect("a grandchild");
            let ids = format!("{} {} ", std::process::id(), grandchild.id());
            std::fs::write(file, ids).expect("a file");
            let _ = grandchild.wait();
        }
        "flood-events" => {
            let file = std::env::var_os("TOOLWIRE_EVENTS").expect("somebody listens");
            let mut file = std::fs::File::options()
                .append(true)
                .open(file)
                .expect("a file");
            loop {
                let _ = file.write_all(&[b'x'; 8192]);
            }
        }
        "flood" => {
            let chunk = [b'x'; 65536];
            while io::stdout().write_all(&chunk).is_ok() {}
        }
        "flood-stderr" => {
            let chunk = [b'y'; 65536];
            while io::stderr().write_all(&chunk).is_ok() {}
        }
        "result" => {
            println!("a log line");
            let path = std::env::var_os("TOOLWIRE_RESULT").expect("a result channel");
            eprint!("{}", path.display());
            std::fs::write(path, next().as_encoded_bytes()).expect("the channel");
        }
        // Leaves a process of a session of its own behind that swaps the result channel with a pipe.
        #[cfg(target_os = "linux")]
        "swap-result" => {
            let mut child = child(&["swap"]);
            let child = child.stdin(Stdio::null()).stdout(Stdio::null()).spawn();
            eprint!("{}", child.expect("a child").id());
            std::thread::sleep(Duration::from_millis(20));
        }
        #[cfg(target_os = "linux")]
        "swap" => swap(),
        // Asks one question after the other, so many, and then says what its call was.
        "ask" => ask(&next().to_string_lossy()),
        // The same, but leaves the number of this process in a file.
        "ask-and-tell" => {
            let count = next();
            let file = std::fs::OpenOptions::new()
                .append(true)
                .create(true)
                .open(next());
            writeln!(file.expect("a file"), "{}", std::process::id()).expect("a line");
            ask(&count.to_string_lossy());
        }
        other => {
            eprintln!("there is no behaviour `{other}`");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn ask(count: &str) {
    let mut call = String::new();
    io::stdin().read_to_string(&mut call).expect("stdin");
    let count: usize = count.parse().expect("a number");
    let open = (1..=count).find(|n| !call.contains(&format!("\"q{n}\":")));
    match open {
        Some(n) => print!(
            r#"{{"content":[{{"type":"text","text":"before {n}"}},{{"type":"question","question":{{"id":"q{n}","text":"Go on?","schema":{{"type":"boolean"}}}}}}]}}"#
        ),
        None => print!("{call}"),
    }
}

/// Swaps the file of the result channel with a pipe as fast as it can, until the host removes it.
#[cfg(target_os = "linux")]
fn swap() {
    use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};
    let path = std::env::var_os("TOOLWIRE_RESULT").expect("a result channel");
    let mut pipe = path.clone();
    pipe.push(".pipe");
    nix::unistd::setsid().expect("a session");
    nix::unistd::mkfifo(&*pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    std::fs::write(&path, "said").expect("the channel");
    let exchange = RenameFlags::RENAME_EXCHANGE;
    let start = std::time::Instant::now();
    while renameat2(AT_FDCWD, &*path, AT_FDCWD, &*pipe, exchange).is_ok()
        && start.elapsed() < Duration::from_secs(30)
    {}
    let _ = std::fs::remove_file(pipe);
}

fn sleep(seconds: &str) {
    std::thread::sleep(Duration::from_secs_f64(seconds.parse().expect("a number")));
}

/// This program as a child, with the same stdout and stderr.
fn child(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(args);
    command
}
