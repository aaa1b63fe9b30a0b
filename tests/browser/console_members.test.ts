import { expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { addToGroup, createGroup } from '../../server/domain/administration/groups.ts'
import { createPerson } from '../../server/domain/administration/people.ts'
import { createWorkspace } from '../../server/domain/administration/workspaces.ts'
import { describeInBrowser } from '../harness/chromium.ts'
import { someRows } from '../harness/long_runs.ts'
import { consoleTabs, HOSTILE, requireSound, SIZES } from './support/console_tabs.ts'

const workspaceId = exampleWorkspace.workspace.id
const [ines, tomas] = exampleWorkspace.people
const tabs = consoleTabs()

async function hostileGroup(email: string): Promise<void> {
  const { service, clock } = tabs.server
  await service.database.write(async (db) => {
    const person = { workspaceId, email, name: HOSTILE, role: 'restricted' } as const
    const id = await createPerson(db, person, clock.now())
    await addToGroup(db, workspaceId, await createGroup(db, workspaceId, HOSTILE, true, clock.now()), id)
  })
}

describeInBrowser('members in the console', () => {
  for (const [name, settings] of someRows(SIZES)) {
    it(`has no findings of axe and does not overflow, with hostile content (${name})`, async () => {
      await hostileGroup(`hostile.${settings.colorScheme}@boats.example`)
      for (const [path, buttons] of [
        ['/members', ['Invite', `Change role of ${HOSTILE}`, `Remove ${HOSTILE}`]],
        ['/groups', ['New group', `Rename ${HOSTILE}`]],
      ] as const) {
        const page = await tabs.open(path, settings)
        await requireSound(page)
        for (const button of buttons) {
          await page.getByRole('button', { name: button, exact: true }).first().click()
          await requireSound(page)
          await page.getByRole('button', { name: 'Cancel' }).click()
        }
      }
    })
  }

  it('invites a guest, whose link works and is shown once, changes the role, and removes the member', async () => {
    const page = await tabs.open('/connections')
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email address').fill('nora@boats.example')
    await dialog.getByLabel('Name', { exact: true }).fill('Nora Lind')
    await dialog.getByRole('combobox', { name: 'Role' }).selectOption('guest')
    await dialog.getByRole('button', { name: 'Invite' }).click()
    const link = (await page.locator('.secret code').textContent()) ?? ''
    await requireSound(page)
    await page.getByRole('button', { name: 'I have copied it' }).click()
    expect(await page.content()).not.toContain(link)
    const guest = await tabs.blank()
    await guest.goto(link)
    await guest.getByRole('button', { name: 'Sign in' }).click()
    await guest.getByText('nora@boats.example').first().waitFor()
    await page.getByRole('button', { name: 'Change role of Nora Lind' }).click()
    await page.getByRole('combobox', { name: 'Role' }).selectOption('restricted member')
    await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Nora Lind' }).getByText('restricted member').waitFor()
    await page.getByRole('button', { name: 'Remove Nora Lind' }).click()
    await page.getByText('personal tokens and authorized connections stop working').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('heading', { name: 'Nora Lind', exact: true }).waitFor({ state: 'detached' })
  })

  it('offers neither another role nor removal of the only owner', async () => {
    const page = await tabs.open('/members')
    await page.getByText('The only owner').waitFor()
    expect(await page.getByRole('button', { name: `Remove ${ines.name}` }).count()).toBe(0)
    expect(await page.getByRole('button', { name: `Change role of ${ines.name}` }).count()).toBe(0)
    await page.getByLabel('Name or email address').fill('tomas')
    await page.getByRole('heading', { name: ines.name }).waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: tomas.name }).waitFor()
  })

  it('makes a group, adds a member, renames the group, and removes the member', async () => {
    const page = await tabs.open('/connections')
    await page.getByRole('link', { name: 'Groups' }).click()
    await page.getByRole('button', { name: 'New group' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Riggers')
    await page.getByRole('button', { name: 'Make group' }).click()
    await page.getByRole('combobox', { name: 'Add to Riggers' }).selectOption(`${tomas.name} (${tomas.email})`)
    await page.getByRole('button', { name: 'Add to Riggers' }).click()
    await page.getByRole('button', { name: `Remove ${tomas.name} from Riggers` }).waitFor()
    await page.getByRole('button', { name: 'Rename Riggers' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Sailmakers')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('button', { name: `Remove ${tomas.name} from Sailmakers` }).click()
    await page.getByText('The person stays in the workspace').waitFor()
    await requireSound(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: `Remove ${tomas.name} from Sailmakers` }).waitFor({ state: 'detached' })
  })

  it('changes between the workspaces of an owner, and says what to do without groups', async () => {
    const { service, clock } = tabs.server
    await service.database.write(async (db) => {
      const elsewhere = await createWorkspace(db, 'Elsewhere', clock.now())
      for (const one of [workspaceId, elsewhere])
        await createPerson(db, { workspaceId: one, email: 'two@boats.example', name: 'Two', role: 'owner' }, clock.now())
    })
    const page = await tabs.open('/groups', {}, 'two@boats.example')
    await page.getByLabel('Workspace').selectOption('Elsewhere')
    await page.getByText('No groups yet').waitFor()
    await requireSound(page)
  })
})
