import { ServiceError } from '../../../kernel/errors.ts'
import type { SessionRow } from '../../../store/sessions.ts'

/** @param problem `takes no message` */
export function sessionConflict({ id, status }: Pick<SessionRow, 'id' | 'status'>, problem: string): ServiceError {
  return new ServiceError('conflict_error', { message: `The session ${id} ${problem} while it is \`${status}\`.` })
}
