import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import '#api/app.ts';
import '#api/jobs/jobs.ts';
import '#api/metrics.ts';
import '#api/newsroom/ai.ts';
import { metrics } from '#db/metrics.ts';
import { root } from '#site/launch/root.ts';
import '#site/lib/metrics/answer-counts.ts';
import '#site/lib/metrics/cache-metrics.ts';
import '#site/lib/metrics/process-metrics.ts';
import '#site/lib/cache/observe-render.ts';
import '#site/lib/tracing/send-traces.ts';
import { filesOf } from './sources.ts';

const read = (file: string) => readFileSync(join(root, 'docs/operating', file), 'utf8');

interface Alert {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}
const { groups }: { groups: { rules: Alert[] }[] } = parse(read('alerts.yaml'));
const alerts = groups.flatMap(({ rules }) => rules);

interface Panel {
  title: string;
  targets?: { expr: string; legendFormat: string }[];
}
const { panels }: { panels: Panel[] } = JSON.parse(read('dashboard.json'));
const targets = panels.flatMap((panel) => panel.targets ?? []);

/** Labels of each metric by its name, as `/metrics` says them. */
const labelsByName = new Map<string, ReadonlySet<string>>();
for (const metric of metrics.getMetricsAsArray()) {
  const labels: string[] = Reflect.get(metric, 'labelNames') ?? [];
  // Prometheus adds where it was read.
  const known = new Set([...labels, 'job', 'instance', 'le']);
  const suffixes = Reflect.has(metric, 'buckets') ? ['_bucket', '_sum', '_count'] : [''];
  for (const suffix of suffixes) labelsByName.set(metric.name + suffix, known);
}

/** Of node_exporter (`--collector.systemd`), which is no part of the site. */
labelsByName.set('node_systemd_unit_state', new Set(['name', 'state', 'type', 'job', 'instance']));

/** What an expression asks for that there is not: names, or labels of them. */
function unknownIn(expression: string): string[] {
  const names = [...expression.matchAll(/\b((?:byeol|process|node)_\w+)(?:\{([^}]*)\})?/g)];
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(/,\s*/),
  );
  return names.flatMap(([, name = '', matchers = '']) => {
    const labels = labelsByName.get(name);
    if (!labels) return [name];
    const asked = [...matchers.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label);
    return [...asked, ...grouped]
      .filter((label) => label && !labels.has(label))
      .map((label) => `${name} by ${label}`);
  });
}

describe('what operators watch', () => {
  test('asks for metrics and labels that there are', () => {
    expect(labelsByName.size).toBeGreaterThan(40);
    expect([alerts.length, targets.length].every((count) => count > 15)).toBe(true);
    expect([...alerts, ...targets].flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
  });

  test('would be noticed where it asked for others', () => {
    expect(unknownIn('sum(rate(byeol_moons_total[5m]))')).toEqual(['byeol_moons_total']);
    expect(unknownIn('byeol_jobs{moon="full"}')).toEqual(['byeol_jobs by moon']);
    expect(unknownIn('max by (queue, moon) (byeol_jobs)')).toEqual(['byeol_jobs by moon']);
    expect(unknownIn('node_moons == 1')).toEqual(['node_moons']);
    expect(unknownIn('node_systemd_unit_state{unit="x"}')).toEqual(['node_systemd_unit_state by unit']);
  });

  test('leads from every alert to what to do about it, and has no page of another', () => {
    const headings = [...read('watching.md').matchAll(/^### (Byeol\w+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(expect.arrayContaining(alerts.map(({ alert }) => alert)));
    expect(headings).toHaveLength(alerts.length);
    for (const { alert, labels, annotations } of alerts) {
      expect(annotations.runbook).toBe(`docs/operating/watching.md#${alert.toLowerCase()}`);
      expect(['page', 'ticket']).toContain(labels.severity);
    }
  });

  test('shows every metric that the site has', () => {
    const shown = [...alerts, ...targets].map(({ expr }) => expr).join('\n');
    const isShown = (name: string) => new RegExp(`\\b${name}(?:_bucket|_sum|_count)?\\b`).test(shown);
    const names = metrics.getMetricsAsArray().map(({ name }) => name);
    expect(names.filter((name) => !isShown(name))).toEqual([]);
  });

  test('knows every file that defines a metric', () => {
    const defining = filesOf('{db,api,site}/**/*.ts').filter(({ text }) =>
      /registers(?:: \[metrics\]| = \[metrics\])/.test(text),
    );
    const names = defining.flatMap(({ text }) =>
      [...text.matchAll(/'((?:byeol|process)_\w+)',?$/gm)].map(([, name]) => name),
    );
    expect(names.length).toBeGreaterThan(20);
    const known = new Set(metrics.getMetricsAsArray().map(({ name }) => name));
    expect(names.filter((name = '') => !known.has(name))).toEqual([]);
  });
});
