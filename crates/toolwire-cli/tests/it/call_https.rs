//! Servers behind TLS.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use crate::common::{Dir, Run, command, run_command};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// A server without TLS, written without any library, and the port of one with TLS before it.
struct Server {
    child: Child,
    port: u16,
    /// The certificate of who vouches for it.
    authority: String,
}

impl Server {
    /// A server whose certificate is for this name.
    fn start(name: &str) -> Server {
        let script = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../toolwire-mcp/tests/servers/plain_http.py"
        );
        let mut child = Command::new(script)
            .args(["2026-07-28", "json"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let stdout = child.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        let behind: u16 = line.trim().parse().unwrap();

        let (acceptor, authority) = certified(name);
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread();
            let runtime = { runtime }.enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
                sender.send(listener.local_addr().unwrap().port()).unwrap();
                while let Ok((stream, _)) = listener.accept().await {
                    tokio::spawn(pass_on(acceptor.clone(), stream, behind));
                }
            });
        });
        Server {
            child,
            port: receiver.recv().unwrap(),
            authority,
        }
    }

    fn call(&self, host: &str, trusted: Option<&str>) -> Run {
        let url = format!("https://{host}:{}/mcp", self.port);
        let mut call = command(&["run", &url, "echo", "value=[1]"]);
        match trusted {
            Some(file) => call.env("SSL_CERT_FILE", file),
            None => call.env_remove("SSL_CERT_FILE"),
        };
        run_command(call, b"")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What accepts connections for a name, and the certificate of the authority that says so.
fn certified(name: &str) -> (TlsAcceptor, String) {
    let mut authority = CertificateParams::new([]).unwrap();
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority_key = KeyPair::generate().unwrap();
    let pem = authority.self_signed(&authority_key).unwrap().pem();
    let issuer = Issuer::new(authority, authority_key);

    let key = KeyPair::generate().unwrap();
    let own = CertificateParams::new([name.to_owned()]).unwrap();
    let own = own.signed_by(&key, &issuer).unwrap();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![own.der().clone()], key)
        .unwrap();
    (TlsAcceptor::from(Arc::new(config)), pem)
}

async fn pass_on(acceptor: TlsAcceptor, stream: TcpStream, behind: u16) {
    let mut behind = TcpStream::connect(("127.0.0.1", behind)).await.unwrap();
    if let Ok(mut stream) = acceptor.accept(stream).await {
        let _ = tokio::io::copy_bidirectional(&mut stream, &mut behind).await;
    }
}

#[test]
fn a_server_is_called_over_tls_if_its_certificate_is_accepted() {
    let dir = Dir::new();
    let server = Server::start("localhost");
    let trusted = dir.file("authority.pem", &server.authority);
    let called = server.call("localhost", Some(&trusted));
    assert_eq!(called.code, 0, "{called:?}");
    assert_eq!(called.stdout, "{\"value\":[1]}\n");

    // Nobody vouches for it, or somebody else does, or it is for another name.
    let other = dir.file("other.pem", certified("localhost").1);
    let elsewhere = Server::start("example.org");
    let of_elsewhere = dir.file("elsewhere.pem", &elsewhere.authority);
    for (refused, part) in [
        (server.call("localhost", None), "UnknownIssuer"),
        (server.call("localhost", Some(&other)), "its certificate"),
        (
            elsewhere.call("localhost", Some(&of_elsewhere)),
            "not valid for name",
        ),
    ] {
        assert_eq!(refused.code, 5, "{refused:?}");
        assert!(
            refused.stderr.contains("its certificate is not accepted"),
            "{refused:?}"
        );
        assert!(refused.stderr.contains("SSL_CERT_FILE"), "{refused:?}");
        assert!(refused.stderr.contains(part), "{refused:?}");
    }
}
