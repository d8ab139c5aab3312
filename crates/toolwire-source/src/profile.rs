//! Profiles by their names.

use toolwire_contract::launch::{Request, parse_profile_word};
use toolwire_contract::profile::Profile;
use toolwire_host::clients::{Entry, Scope, Surroundings, Target, read_entry};

use crate::profiles::{META, ProfilePlace, project_of, read_files};
use crate::{Places, SourceError, SourceErrorKind};

type Result<T> = std::result::Result<T, SourceError>;

/// A profile that was found: its server, and what is asked of it.
pub(crate) struct Found {
    pub entry: Entry,
    pub request: Option<Request>,
    pub profile: Profile,
    /// Whether it says in which folder its program starts.
    pub names_folder: bool,
    /// Whether it lies where JN keeps its own.
    pub of_jn: bool,
}

/// The profile that a word such as `@biomcp/search?gene=BRAF` names.
pub(crate) fn find(word: &str, places: &Places, surroundings: &Surroundings) -> Result<Found> {
    let bad = |error: toolwire::Error| {
        SourceError::new(SourceErrorKind::BadWord, error.message().to_owned())
    };
    let word = parse_profile_word(word).map_err(bad)?;
    let name = &word.profile;
    let ProfilePlace {
        folder,
        scope,
        of_jn,
        ..
    } = ProfilePlace::find_near(name, places, surroundings)?;
    let profile = read_files(&folder, scope)?.profile;
    let meta = folder.join(META);
    let project = match scope {
        // It runs where its folder of profiles lies.
        Scope::Workspace => project_of(&folder).to_owned(),
        Scope::User => surroundings.folder.clone(),
    };
    let entry = read_entry(name, profile.launcher().as_str(), &meta, scope, &project)?;
    let request = word.request.map(|request| match request {
        Request::Tool { name, arguments } => {
            let known = profile.tool(&name).map(|tool| tool.tool());
            let name = known.unwrap_or(name);
            Request::Tool { name, arguments }
        }
        other => other,
    });
    let names_folder = matches!(&entry.target, Target::Program { cwd: Some(_), .. });
    Ok(Found {
        entry,
        request,
        profile,
        names_folder,
        of_jn,
    })
}
