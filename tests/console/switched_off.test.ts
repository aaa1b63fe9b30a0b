import { expect, it } from 'vitest'
import { serverOfFile } from '../harness/server.ts'

const server = await serverOfFile({ CONSOLE: 'false' })

it('400 for the console and its API when CONSOLE is false', async () => {
  for (const path of ['/console', '/console/tokens', '/console/api/session'])
    expect([path, (await fetch(server.url + path, { redirect: 'manual' })).status]).toEqual([path, 400])
})
