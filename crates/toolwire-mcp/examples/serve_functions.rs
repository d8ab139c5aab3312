//! Serves functions of this program, and programs on disk beside them, to MCP clients.
//!
//!     cargo run --package toolwire-mcp --example serve_functions -- examples/python/query.py
//!     cargo run --package toolwire-mcp --example serve_functions -- --http 127.0.0.1:8080

use std::error::Error;

use toolwire_author::{Context, Program, Tool, ToolError, arguments, boolean, progress};
use toolwire_host::{Command, InProcess};
use toolwire_mcp::server::{HttpOptions, HttpServer, Offer, ServeOptions, Server, serve_stdio};

/// Add numbers.
#[arguments]
struct Add {
    /// The numbers.
    numbers: Vec<f64>,
}

fn add(args: Add, ctx: &Context) -> Result<String, toolwire_author::Error> {
    if args.numbers.is_empty() && !ctx.answer("zero", boolean("Nothing to add. Is 0 right?"))? {
        return Err(ToolError::new("there are no numbers").into());
    }
    let mut sum = 0.0;
    for (nth, number) in args.numbers.iter().enumerate() {
        progress(nth as f64, Some(args.numbers.len() as f64), None);
        // It goes to stderr: stdout is for messages.
        println!("adding {number}");
        sum += number;
    }
    Ok(sum.to_string())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    let http = arguments
        .next_if_eq("--http")
        .and_then(|_| arguments.next());
    let program = Program::new().tool(Tool::new("add", add));
    let functions = InProcess::blocking(move |call| {
        program
            .answer_to(call.document().as_bytes(), call.caller())
            .to_json()
    });
    let offer = Offer {
        functions: vec![functions],
        programs: arguments.map(Command::new).collect(),
        ..Offer::default()
    };
    let server = Server::start(ServeOptions::new(offer)?);
    let stop = std::future::pending();
    match http {
        None => serve_stdio(&server, stop).await?,
        Some(address) => {
            let http = HttpServer::bind(HttpOptions::new(address.parse()?)).await?;
            eprintln!("serving at {}", http.url());
            http.serve(&server, stop).await?;
        }
    }
    Ok(())
}
