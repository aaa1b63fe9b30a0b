import type { Operation } from '../../../../generated/operations.ts'
import type { Writer } from './writer.ts'

/** Moves a record to the trash and restores it, and expects to read each state. */
export async function trashAndRestore(
  writer: Writer,
  { update, retrieve }: { readonly update: Operation; readonly retrieve: Operation },
  path: Readonly<Record<string, string>>,
): Promise<void> {
  for (const inTrash of [true, false]) {
    const name = inTrash ? 'into the trash' : 'out of the trash'
    await writer.send(update, { path, body: { in_trash: inTrash } }, { name, isCertain: true })
    const read = await writer.read(retrieve, { path })
    const text = inTrash ? 'is not true after the move to the trash' : 'is not false after the restore'
    if (read) writer.expect(read.record['in_trash'] === inTrash, update, read.response, 'body.in_trash', text)
  }
}
