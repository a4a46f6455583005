/**
 * The report as metrics in the text format of OpenMetrics 1.0. All are gauges without a timestamp,
 * so the file is valid in the older text format of Prometheus too.
 */
import { visibleText } from "../../../provider/text/visible-text";
import {
  countsByKind,
  differenceKinds,
  findingCauses,
  notIgnored,
  ownable,
  unmanagedKinds,
} from "../report/model";
import type { Format } from "./format";

const PREFIX = "opsmanager_drift";

type Labels = Readonly<Record<string, string>>;

type Sample = readonly [labels: Labels, value: number];

export const openmetrics: Format = ({ report }) => {
  const findings = notIgnored(report.findings);
  const unowned = notIgnored(ownable(report));
  const generatedAt = Date.parse(report.generatedAt);
  // An outage does not end a difference of the earlier report.
  const notChecked = (report.previous?.notChecked ?? []).filter(({ kind }) =>
    differenceKinds.some((each) => each === kind),
  );
  // In milliseconds, because a difference of seconds with a fraction is not exact.
  const ages = [...findings, ...notChecked].flatMap(({ since }) =>
    since === undefined ? [] : [generatedAt - Date.parse(since)],
  );
  const coverage = (count: "total" | "managed"): Sample[] =>
    (report.unmanaged?.organizations ?? []).flatMap((organization) =>
      unmanagedKinds.flatMap((kind): Sample[] => {
        const counts = organization[kind];
        return counts ? [[{ organization: organization.orgId, kind }, counts[count]]] : [];
      }),
    );
  return [
    gauge(
      "differences",
      "Differences that no rule ignores.",
      report.stacks.flatMap(({ stack }) =>
        findingCauses.flatMap((cause) => {
          const own = findings.filter((finding) => finding.stack === stack && finding.cause === cause);
          return countsByKind(own).map(
            (count, index): Sample => [{ stack, cause, kind: differenceKinds[index] ?? "" }, count],
          );
        }),
      ),
    ),
    gauge("undetermined", "Objects that could not be determined.", [
      [{}, notIgnored(report.unreadable).length],
    ]),
    gauge("unread_event_lists", "Lists of events that could not be read completely.", [
      [{}, report.eventsUnread?.length ?? 0],
    ]),
    gauge(
      "unmanaged",
      "Objects that no resource owns; people, teams and keys once in each project. Only with --unmanaged.",
      report.unmanaged === undefined
        ? []
        : unmanagedKinds.map(
            (kind): Sample => [{ kind }, unowned.filter((entry) => entry.kind === kind).length],
          ),
    ),
    gauge(
      "coverage_objects",
      "Objects of an organization, counted likewise. Only with --unmanaged.",
      coverage("total"),
    ),
    gauge("coverage_managed", "Objects of an organization that a resource owns.", coverage("managed")),
    gauge(
      "oldest_difference_age_seconds",
      "Time since the first report with the oldest difference, which may not have been checked this time. 0 if nothing differs. Only with --previous.",
      report.previous === undefined ? [] : [[{}, Math.max(0, ...ages) / 1000]],
    ),
    gauge(
      "duration_seconds",
      "How long the run took.",
      report.durationSeconds === undefined ? [] : [[{}, report.durationSeconds]],
    ),
    gauge("report_timestamp_seconds", "When the run began, as a Unix time.", [[{}, generatedAt / 1000]]),
    "# EOF\n",
  ].join("");
};

/** A family of samples, none without a sample. */
function gauge(name: string, help: string, samples: readonly Sample[]): string {
  if (samples.length === 0) return "";
  const family = `${PREFIX}_${name}`;
  const unit = name.endsWith("_seconds") ? `# UNIT ${family} seconds\n` : "";
  const lines = samples.map(([labels, value]) => `${family}${labelText(labels)} ${value}\n`);
  return `# TYPE ${family} gauge\n${unit}# HELP ${family} ${help}\n${lines.join("")}`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return visibleText(value).replaceAll("\\", "\\\\").replaceAll('"', '\\"');
}
