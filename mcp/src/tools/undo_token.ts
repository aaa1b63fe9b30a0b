import { z } from 'zod'

/** Names a change for the tool undo; missing if the change cannot be undone. */
export const undoToken = z.string().optional()
