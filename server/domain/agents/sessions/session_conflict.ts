import { ServiceError } from '../../../kernel/errors.ts'
import type { SessionRow } from '../../../store/sessions.ts'

/** @param problem for example `does not accept a message` */
export function sessionConflict({ id, status }: Pick<SessionRow, 'id' | 'status'>, problem: string): ServiceError {
  return new ServiceError('conflict_error', { message: `The session ${id} ${problem} while it is \`${status}\`.` })
}
