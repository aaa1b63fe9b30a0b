import type { Call } from '../application/call.ts'
import { invalid } from '../domain/shared/index.ts'

export const MULTIPART_TYPE = 'multipart/form-data'
/** Names of the form parts that are files. */
export const FILE_PARTS = ['file']

/** @throws ServiceError `validation_error` if a form has no file */
export function requireFiles({ operation, files }: Pick<Call, 'operation' | 'files'>): void {
  if (operation.requestTypes.includes(MULTIPART_TYPE) && files['file'] === undefined)
    throw invalid('body.file', 'should be a file, with its name and its bytes')
}
