import type { FindingGroup } from '../finding_log.ts'
import { findingLine, sampleLine, type RunResult } from './run_result.ts'

/** A run in JUnit's format: a test case for each operation, with a failure for each of its findings. */
export function jUnitReport({ command, findings, operations, notCovered }: RunResult): string {
  const names = [
    ...new Set([...Object.keys(operations), ...findings.map(({ operation }) => operation), ...Object.keys(notCovered)]),
  ]
  const cases = names.toSorted().map((name) => {
    const own = findings.filter(({ operation, isAllowed }) => operation === name && !isAllowed)
    return { failed: own.length > 0, skipped: name in notCovered, text: testCase(command, name, own, notCovered[name]) }
  })
  const count = (key: 'failed' | 'skipped'): number => cases.filter((one) => one[key]).length
  const totals = `tests="${cases.length}" failures="${count('failed')}" skipped="${count('skipped')}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${totals}>`,
    `  <testsuite name="${escaped(command)}" ${totals}>`,
    ...cases.flatMap(({ text }) => text),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase(command: string, name: string, findings: readonly FindingGroup[], reason: string | undefined): string[] {
  const lines = findings.map(
    (finding) =>
      `      <failure type="${escaped(finding.rule)}" message="${escaped(findingLine(finding))}">${escaped(sampleLine(finding))}</failure>`,
  )
  const skipped = reason === undefined ? [] : [`      <skipped message="${escaped(reason)}"/>`]
  return [`    <testcase classname="${escaped(command)}" name="${escaped(name)}">`, ...skipped, ...lines, '    </testcase>']
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** Text for XML 1.0, which does not allow control characters. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\x00-\x1f\x7f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
