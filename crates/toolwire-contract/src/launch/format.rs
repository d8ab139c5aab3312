//! Writing a launch URI.

use toolwire::{Code, Error};

use super::path::in_target;
use super::query::Pairs;
use super::{Launch, Launcher, parse_launch_uri};
use crate::percent::{IN_TARGET, encode};
use crate::unplaced;

/// The canonical launch URI (LAUNCH-50): reading it gives the same launch again.
///
/// # Errors
///
/// As [`parse_launch_uri`], for a launch that no launch URI says, such as a package whose name begins with `-`.
///
/// # Examples
///
/// ```
/// use toolwire_contract::launch::{format_launch_uri, parse_launch_uri};
///
/// let launch = parse_launch_uri("MCP+UVX://mcp%5Bcli%5D==1.9.0/mcp?tool=a%62c&env=T&x=1+1")?;
/// assert_eq!(format_launch_uri(&launch)?, "mcp+uvx://mcp[cli]@1.9.0/mcp?env=T&tool=abc&x=1%2B1");
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn format_launch_uri(launch: &Launch) -> Result<String, Error> {
    let mut pairs = Pairs::default();
    pairs.all("command", &launch.words);
    pairs.all("with", &launch.with);
    pairs.all("env", &launch.env);
    pairs.all("header", &launch.headers);
    pairs.all("cwd", &launch.cwd);
    let mut uri = format!("mcp+{}://", launch.launcher.as_str());
    match launch.launcher {
        Launcher::Http => {
            let (front, query) = match launch.target.split_once('?') {
                Some((front, query)) => (front, Some(query)),
                None => (launch.target.as_str(), None),
            };
            query.iter().for_each(|query| pairs.add("query", query));
            uri = format!("mcp+{front}");
        }
        Launcher::Python | Launcher::Node | Launcher::Exec => {
            encode(&mut uri, &in_target(&launch.target), IN_TARGET);
        }
        _ => encode(&mut uri, &launch.target, IN_TARGET),
    }
    if let Some(command) = &launch.command {
        uri.push('/');
        encode(&mut uri, command, IN_TARGET);
    }
    pairs.request(launch.request.as_ref(), true);
    uri.push_str(&pairs.0);
    match parse_launch_uri(&uri) {
        Ok(read) if read == *launch => Ok(uri),
        Ok(_) => Err(Error::new(
            Code::BadLaunchUri,
            "",
            None,
            "this is not written as a launch URI would say it: paths have slashes, versions stand behind `@`, and each \
             part stands in its own member",
        )),
        Err(error) => Err(unplaced(&error)),
    }
}
