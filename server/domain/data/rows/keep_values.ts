import type { RowValues } from '../../../store/pages.ts'
import { updateRowValues } from '../../../store/row_values.ts'
import { ROW_VALUES_BYTES_MAX } from '../../../store/stored/cell_limits.ts'
import { invalid, type WriteScope } from '../../shared/index.ts'

/**
 * Stores the values of a row or template. Their total size is limited, because requests can fill one after another.
 * @param before the stored values; they may always become shorter
 * @param path of the values in the request
 * @throws ServiceError `validation_error` if they are too long
 */
export async function keepRowValues(
  { db, actor }: WriteScope,
  id: string,
  before: RowValues,
  next: RowValues,
  path: string,
): Promise<void> {
  const text = JSON.stringify(next)
  const bytes = Buffer.byteLength(text)
  if (bytes > ROW_VALUES_BYTES_MAX && bytes > Buffer.byteLength(JSON.stringify(before)))
    throw invalid(
      path,
      `should leave the row \`${id}\` with values of at most \`${ROW_VALUES_BYTES_MAX}\` bytes in all, instead was \`${bytes}\``,
    )
  await updateRowValues(db, actor.workspaceId, id, text)
}
