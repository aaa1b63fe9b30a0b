import { expect, it } from 'vitest'
import { isFree, spawnNpm, testSettings, until } from '../../harness/process.ts'

it('npm start stops and releases its port when npm gets SIGTERM', async () => {
  // Without the pre-start scripts, which may render the reference.
  const npm = spawnNpm(['--ignore-scripts', 'start'], testSettings({}))
  try {
    const url = await until(() => /listens on (http:\S+)/.exec(npm.output())?.[1])
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    npm.terminate()
    await npm.closed
    expect(npm.output()).toContain('"stopped"')
    expect(await isFree(Number(new URL(url).port))).toBe(true)
  } finally {
    npm.endGroup()
  }
})
