import type { PagePropertiesRequest } from '../../../../generated/types.ts'
import type { Block } from '../../../store/blocks.ts'
import { findRowValues } from '../../../store/row_values.ts'
import { canonicalJson } from '../../../kernel/canonical_json.ts'
import { isObject } from '../../../kernel/is_object.ts'
import { oneSpelling } from '../../../kernel/ids.ts'
import { dataSourceOfRow, type DataSource } from '../data_sources/load.ts'
import { invalid, type WriteScope } from '../../shared/index.ts'
import { findProperty } from '../properties/stored.ts'
import type { StoredVerification } from '../properties/stored_values.ts'
import { fileOfLink } from '../../files/index.ts'
import { ValueNotes } from '../properties/value_notes.ts'
import { filesIn, type ReferenceList } from '../../content/index.ts'
import { requireTargets } from './require_targets.ts'
import { keepNewOptions, parseWritten, updateRow } from './write.ts'

/** New values for a page of a data source, parsed but not yet written. */
interface RowUpdate {
  /** Writes the values. @returns whether anything has changed */
  keep(): Promise<boolean>
}

export async function parseRowUpdate(
  scope: WriteScope,
  block: Block,
  properties: PagePropertiesRequest | undefined,
  references: ReferenceList,
): Promise<RowUpdate> {
  if (properties === undefined) return { keep: () => Promise.resolve(false) }
  const dataSource = await dataSourceOfRow(scope, block)
  const notes = new ValueNotes(references, scope.actor.userId, await filesHeldBy(scope, block, properties))
  const written = parseWritten(dataSource, await withoutReadVerifications(scope, block, dataSource, properties), notes)
  return {
    async keep() {
      await requireTargets(scope, notes)
      await keepNewOptions(scope, dataSource, notes)
      const values = (await findRowValues(scope.db, scope.actor.workspaceId, [block.id])).get(block.id) ?? {}
      return updateRow(scope, dataSource, block, values, written)
    },
  }
}

/** Omits verifications that a caller sends back as they were read: their verifier stays. */
async function withoutReadVerifications(
  scope: WriteScope,
  { id }: Block,
  dataSource: DataSource,
  properties: PagePropertiesRequest,
): Promise<PagePropertiesRequest> {
  if (!Object.values(properties).some((value) => verifierIn(value) !== undefined)) return properties
  const values = (await findRowValues(scope.db, scope.actor.workspaceId, [id])).get(id) ?? {}
  const kept = Object.entries(properties).filter(([key, value]) => {
    const verifier = verifierIn(value)
    if (verifier === undefined) return true
    const column = findProperty(dataSource.properties, key)
    const stored = column?.type === 'verification' ? (values[column.id] as StoredVerification | undefined) : undefined
    if (stored?.verifiedBy === verifier) return canonicalJson(dateIn(value)) !== canonicalJson(stored.date)
    throw invalid(`body.properties.${key}.verification.verified_by`, 'should be the user who verifies the page, or omitted')
  })
  return Object.fromEntries(kept)
}

/** The user in a written verification, or undefined. */
function verifierIn(value: PagePropertiesRequest[string]): string | undefined {
  if (!('verification' in value) || value.verification.state === 'unverified') return undefined
  const { verified_by: verifier } = value.verification
  return isObject(verifier) ? oneSpelling(String(verifier['id'])) : undefined
}

function dateIn(value: PagePropertiesRequest[string]): unknown {
  return ('verification' in value && value.verification.state !== 'unverified' && value.verification.date) || null
}

/**
 * Returns a function that finds the files of a row by the addresses that were presented for them. The files are read only if a request
 * sends such an address back.
 */
async function filesHeldBy(
  scope: WriteScope,
  { id }: Block,
  properties: PagePropertiesRequest,
): Promise<ValueNotes['heldFile'] | undefined> {
  if (!Object.values(properties).some(sendsFileBack)) return undefined
  const values = (await findRowValues(scope.db, scope.actor.workspaceId, [id])).get(id) ?? {}
  const held = filesIn(Object.values(values))
  return (url) => {
    const file = fileOfLink(scope, url)
    return file !== undefined && held.has(file) ? file : undefined
  }
}

function sendsFileBack(value: PagePropertiesRequest[string]): boolean {
  return 'files' in value && value.files.some((file) => 'file' in file)
}
