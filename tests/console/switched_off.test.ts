import { expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { Browser } from '../harness/browser.ts'
import { serverOfFile } from '../harness/server.ts'

const server = await serverOfFile({ CONSOLE: 'false' })

it('400 for the console and its API when CONSOLE is false', async () => {
  for (const path of ['/console', '/console/tokens', '/console/api/session'])
    expect([path, (await fetch(server.url + path, { redirect: 'manual' })).status]).toEqual([path, 400])
})

it('the page of a signed-in person has no link to the console when CONSOLE is false', async () => {
  const browser = new Browser(server)
  await browser.signIn(server, exampleWorkspace.people[0].email)
  expect((await browser.open('/sign-in')).text).not.toContain('/console')
})
