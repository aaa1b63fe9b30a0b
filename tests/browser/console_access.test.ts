import { expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createPerson } from '../../server/domain/administration/people.ts'
import { createWorkspace } from '../../server/domain/administration/workspaces.ts'
import { setMemberAccess } from '../../server/domain/people/sharing.ts'
import { undashed } from '../../server/kernel/ids.ts'
import { describeInBrowser } from '../harness/chromium.ts'
import { makeConnection } from '../harness/connections.ts'
import { textAt, type JsonObject } from '../harness/json.ts'
import { someRows } from '../harness/long_runs.ts'
import { consoleTabs, HOSTILE, requireSound, SIZES } from './support/console_tabs.ts'

const workspaceId = exampleWorkspace.workspace.id
const [ines, tomas] = exampleWorkspace.people
const tabs = consoleTabs()

async function newPage(title: string, parent: JsonObject = { workspace: true }): Promise<string> {
  const properties = { title: { title: [{ text: { content: title } }] } }
  return textAt((await tabs.server.owner.call('createPage', { body: { parent, properties } })).body, 'id')
}

let number = 0
function newPerson(name: string, role: 'guest' | 'owner', workspace: string = workspaceId): Promise<string> {
  const person = { workspaceId: workspace, email: `access${++number}@boats.example`, name, role } as const
  return tabs.server.service.database.write((db) => createPerson(db, person, tabs.server.clock.now()))
}

/** A page with rules, on a page with a rule, shared with a connection; all with hostile names. */
async function hostilePage(): Promise<string> {
  const { service, clock } = tabs.server
  const above = await newPage(HOSTILE)
  const page = await newPage(HOSTILE, { page_id: above })
  const guest = await newPerson(HOSTILE, 'guest')
  await makeConnection(tabs.server, { name: HOSTILE, capabilities: ['read_content'], grants: [page] })
  await service.database.write(async (db) => {
    await setMemberAccess(db, workspaceId, page, guest, 'read', clock.now())
    await setMemberAccess(db, workspaceId, above, 'everybody', 'edit', clock.now())
    await setMemberAccess(db, workspaceId, page, ines.id, 'full', clock.now())
  })
  return page
}

describeInBrowser('who sees a page', () => {
  for (const [name, settings] of someRows(SIZES)) {
    it(`has no findings of axe and does not overflow, with hostile content (${name})`, async () => {
      const id = await hostilePage()
      for (const path of ['/access', '/access?text=img', `/access/${id}`]) await requireSound(await tabs.open(path, settings))
      const page = await tabs.open(`/access/${id}`, settings)
      await page.getByRole('button', { name: 'Set a rule' }).click()
      await requireSound(page)
    })
  }

  it('leads from a page to who sees it, for owners only', async () => {
    const path = `/${undashed(exampleWorkspace.pages.handbook)}`
    const page = await tabs.open('/access')
    await page.goto(tabs.server.url + path)
    await page.getByRole('link', { name: 'Who sees this' }).click()
    await page.getByRole('heading', { level: 1, name: 'Workshop handbook' }).waitFor()
    const other = await tabs.open('/connections', {}, tomas.email)
    await other.goto(tabs.server.url + path)
    await other.getByRole('heading', { level: 1 }).waitFor()
    expect(await other.getByRole('link', { name: 'Who sees this' }).count()).toBe(0)
  })

  it('finds a page, lets a guest read it, and removes the rule', async () => {
    await newPage('Slipway schedule')
    await newPerson('Nora', 'guest')
    const page = await tabs.open('/connections')
    await page.getByRole('link', { name: 'Who sees what' }).click()
    await page.getByLabel('Title, link or id').fill('slipway')
    await page.getByRole('button', { name: 'Find', exact: true }).click()
    await page.getByRole('link', { name: 'Slipway schedule' }).click()
    await page.getByText('No rule applies to this page').waitFor()
    await page.getByRole('button', { name: 'Set a rule' }).click()
    const nora = await page.getByRole('option', { name: /^Nora/ }).textContent()
    await page.getByRole('combobox', { name: 'For' }).selectOption(nora)
    await page.getByText('Now: No access.').waitFor()
    await page.getByRole('button', { name: 'Set rule' }).click()
    await page.getByRole('heading', { name: 'Nora: Can read' }).waitFor()
    await page.getByText('by the rule for this person on this page').waitFor()
    await page.getByRole('button', { name: 'Remove rule for Nora' }).click()
    await page.getByText('The role in the workspace decides then.').waitFor()
    await requireSound(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Remove rule' }).click()
    await page.getByText('No rule applies to this page').waitFor()
  })

  it('says why a rule was refused by which the person would lose access', async () => {
    const page = await tabs.open(`/access/${await newPage('Pier')}`)
    await page.getByRole('button', { name: 'Set a rule' }).click()
    await page.getByRole('combobox', { name: 'Access' }).selectOption('No access')
    await page.getByRole('button', { name: 'Set rule' }).click()
    await page.getByText('You would lose full access to this page yourself.').waitFor()
    await requireSound(page)
    tabs.forgetComplaints()
  })

  it('stops sharing a page with a connection, and finds a member by name', async () => {
    const id = await newPage('Winch log')
    const { caller } = await makeConnection(tabs.server, { name: 'Winch', capabilities: ['read_content'], grants: [id] })
    const page = await tabs.open(`/access/${id}`)
    await page.getByRole('button', { name: 'Stop sharing with Winch' }).click()
    await page.getByText('from its next request on').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop sharing' }).click()
    await page.getByRole('heading', { name: 'Winch', exact: true }).waitFor({ state: 'detached' })
    expect((await caller.call('retrievePage', { path: { page_id: id } })).status).toBe(404)
    await page.getByLabel('Name or email address').fill('tomas')
    await page.getByRole('heading', { name: ines.name }).waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: tomas.name }).waitFor()
  })

  it('says what appears in a workspace without pages', async () => {
    const { service, clock } = tabs.server
    const empty = await service.database.write((db) => createWorkspace(db, 'Elsewhere', clock.now()))
    await newPerson('Stranger', 'owner', empty)
    const page = await tabs.open('/access', {}, `access${number}@boats.example`)
    await page.getByText('No pages yet').waitFor()
    await requireSound(page)
  })
})
