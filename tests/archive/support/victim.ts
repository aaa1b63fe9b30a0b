import { addEmoji } from '../../../server/domain/administration/emojis.ts'
import { createGroup } from '../../../server/domain/administration/groups.ts'
import { createPerson } from '../../../server/domain/administration/people.ts'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { makeAgent } from '../../harness/agents.ts'
import { makeComment } from '../../harness/comments.ts'
import { appendOne, block, makePage, paragraph, text } from '../../harness/content.ts'
import { makeDatabase, makeRow } from '../../harness/databases_content.ts'
import { upload } from '../../harness/files.ts'
import { idOf, textAt } from '../../harness/json.ts'
import type { TestServer } from '../../harness/server.ts'
import { makeView } from '../../harness/views.ts'

/** Part of each name, text and file of the victim, and of nothing else. */
export const SECRET = 'quagmire'

/** The ids of demo workspace records that an archive of another workspace names. */
export type Victim = Awaited<ReturnType<typeof makeVictim>>

/** Creates a record of each kind that content can name in the demo workspace. */
export async function makeVictim(server: TestServer) {
  const { owner } = server
  const { id: workspaceId } = exampleWorkspace.workspace
  const file = await upload(owner, `${SECRET} bytes`, `${SECRET}.txt`)
  const page = await makePage(owner, `${SECRET} plan`, undefined, [
    paragraph(`${SECRET} text`),
    { file: { type: 'file_upload', file_upload: { id: file } } },
  ])
  const original = await appendOne(owner, page, {
    synced_block: { synced_from: null, children: [block('quote', `${SECRET} original`)] },
  })
  const made = await makeDatabase(owner, page, { [`${SECRET} note`]: { rich_text: {} } }, { title: [text(`${SECRET} database`)] })
  const row = idOf(await makeRow(owner, made.sourceId, { Name: { title: [text(`${SECRET} row`)] } }))
  const view = idOf(await makeView(owner, made, { name: `${SECRET} view` }))
  const comment = await makeComment(owner, { parent: { page_id: page }, markdown: `${SECRET} comment` })
  // The archive has a record with the same id.
  const properties = { title: { title: [text(`${SECRET} launch`)] } }
  await owner.call('updatePage', { path: { page_id: exampleWorkspace.pages.launchPlan }, body: { properties } })
  const now = server.clock.now()
  const people = await server.service.database.write(async (db) => ({
    emoji: (await addEmoji(db, workspaceId, SECRET, `https://${SECRET}.example/a.png`, now)).id,
    group: await createGroup(db, workspaceId, `${SECRET} crew`, false, now),
    person: await createPerson(db, { workspaceId, email: `nora@${SECRET}.example`, name: `Nora ${SECRET}`, role: 'member' }, now),
  }))
  const agent = await makeAgent(server, { name: `${SECRET} agent` })
  return {
    page,
    file,
    original,
    database: made.id,
    source: made.sourceId,
    row,
    view,
    comment: textAt(comment, 'id'),
    agent,
    ...people,
  }
}
