//! What changes in a text that is edited at one place, as `diff -u` shows it.

/// Lines around a change.
const CONTEXT: usize = 3;

/// The lines that change, with some around them; empty if none does.
pub fn unified(name: &str, before: &str, after: &str) -> String {
    if before == after {
        return String::new();
    }
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    let same = |(one, other): &(&&str, &&str)| one == other;
    let head = old.iter().zip(&new).take_while(same).count();
    let most = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(most);
    let tail = tail.take_while(same).count();
    let start = head.saturating_sub(CONTEXT);
    let end = old.len().min(old.len() - tail + CONTEXT);
    let new_end = end + new.len() - old.len();
    let from = |lines: usize| if lines == 0 { 0 } else { start + 1 };
    let (old_count, new_count) = (end - start, new_end - start);
    let mut text = format!(
        "--- {name}\n+++ {name}\n@@ -{},{old_count} +{},{new_count} @@\n",
        from(old_count),
        from(new_count)
    );
    let mut put = |sign: char, lines: &[&str]| {
        for line in lines {
            text.push(sign);
            text.push_str(line.trim_end_matches(['\n', '\r']));
            text.push('\n');
            if !line.ends_with('\n') {
                text.push_str("\\ No newline at end of file\n");
            }
        }
    };
    put(' ', &old[start..head]);
    put('-', &old[head..old.len() - tail]);
    put('+', &new[head..new.len() - tail]);
    put(' ', &old[old.len() - tail..end]);
    text
}
