// What the clients in JavaScript share: they read a plan from stdin and write a report to stdout.
import { readFileSync } from "node:fs";

/** Carries out the plan on stdin with the session that `connect` opens. */
export async function carryOut(connect) {
  const plan = JSON.parse(readFileSync(0, "utf8"));
  const report = { client: process.argv[1], calls: [], elicitations: [], completed: [], logs: [] };
  const answers = [...(plan.answers ?? [])];
  const answer = (params) => {
    report.elicitations.push(params);
    return answers.shift() ?? { action: "cancel" };
  };
  const [log, complete] = [report.logs, report.completed].map((list) => (params) => void list.push(params));
  const session = await connect(plan, answer, log, complete);
  report.revision = session.revision;
  report.tools = await session.tools();
  if (plan.logLevel) await session.logLevel?.(plan.logLevel);
  for (const call of plan.calls ?? []) {
    const progress = [];
    const { name, arguments: args, _meta } = call;
    const params = { name, arguments: args ?? {}, ...(_meta ? { _meta } : {}) };
    try {
      const result = await session.call(params, { onprogress: (each) => void progress.push(each), timeout: plan.timeout ?? 120_000 });
      report.calls.push({ name, result, progress });
    } catch (error) {
      const { code = null, data = null } = error;
      report.calls.push({ name, error: { code, message: String(error.message), data }, progress });
    }
  }
  await session.close();
  process.stdout.write(JSON.stringify(report) + "\n", () => process.exit(0));
}

/** The headers that carry the token of a plan, if it has one. */
export function bearer(token) {
  return token ? { Authorization: `Bearer ${token}` } : {};
}
