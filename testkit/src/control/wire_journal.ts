import type { AnyJson, components } from '../../../generated/control_types.ts'
import type { FaultRule } from '@workspace-service/server/faults/fault_rule.ts'
import type { JournalEntry } from '../journal/journal_entry.ts'

type Schemas = components['schemas']

/**
 * The entries of a journal in the form of the control API.
 * @param written returns a rule in that form
 */
export function wireJournal(
  entries: readonly JournalEntry[],
  written: (rule: FaultRule) => Schemas['FaultRule'],
): Schemas['Journal'] {
  return { object: 'list', type: 'journal_entry', results: entries.map((entry) => wireEntry(entry, written)) }
}

function wireEntry(entry: JournalEntry, written: (rule: FaultRule) => Schemas['FaultRule']): Schemas['JournalEntry'] {
  const { operation, method, path, query, headers, body, bodyBytes, response, refusal, faults } = entry
  return {
    object: 'journal_entry',
    ...{ operation, method, path, query, headers },
    body: jsonOf(body),
    body_bytes: bodyBytes,
    response: {
      status: response.status ?? null,
      headers: response.headers,
      body: jsonOf(response.body),
      body_bytes: response.bodyBytes,
    },
    refusal: refusal ? { ...refusal, paths: [...refusal.paths] } : null,
    faults: faults.map(written),
    request_id: entry.requestId ?? null,
    started_time: entry.startedTime.toISOString(),
    milliseconds: entry.milliseconds,
  }
}

/** Bodies in the journal are parsed JSON or text. */
function jsonOf(body: unknown): AnyJson {
  return body === undefined ? null : (body as AnyJson)
}
