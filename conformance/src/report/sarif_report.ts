import type { Log, Result } from 'sarif'
import { rules, type FindingRule } from '../finding.ts'
import type { FindingGroup } from '../finding_log.ts'
import { findingLine, sampleLine, type RunResult } from './run_result.ts'

const RULE_IDS = Object.keys(rules) as FindingRule[]

/** A run in SARIF 2.1.0, as code hosts show it. */
export function sarifReport({ findings }: RunResult): Log {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'workspace-service',
            rules: RULE_IDS.map((id) => ({ id, shortDescription: { text: rules[id] } })),
          },
        },
        results: findings.map(resultOf),
      },
    ],
  }
}

function resultOf(finding: FindingGroup): Result {
  const { rule, key, operation, place, isAllowed, count } = finding
  return {
    ruleId: rule,
    ruleIndex: RULE_IDS.indexOf(rule),
    level: 'error',
    message: { text: `${findingLine(finding)} (${sampleLine(finding)})` },
    occurrenceCount: count,
    partialFingerprints: { key },
    locations: [
      {
        // An exchange has no file, so the contract is named.
        physicalLocation: { artifactLocation: { uri: 'openapi.json' }, region: { startLine: 1 } },
        logicalLocations: [{ name: operation, fullyQualifiedName: `${operation}/${place}` }],
      },
    ],
    ...(isAllowed && { suppressions: [{ kind: 'external' }] }),
  }
}
