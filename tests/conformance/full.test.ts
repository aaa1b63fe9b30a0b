import { expect, it } from 'vitest'
import { ConformClient } from '../../server/conformance/conform/conform_client.ts'
import { FullRun } from '../../server/conformance/conform/full/full_run.ts'
import { Run } from '../../server/conformance/run.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'

const service = await serverOfFile()

it('finds nothing', async () => {
  const run = new Run('conform', service.url)
  const client = new ConformClient(run, new URL(service.url), TOKEN)
  const t = Date.now()
  const end = await new FullRun({
    run,
    client,
    cleaner: client,
    insideId: '3af9f30c-5a66-4477-bda9-d8c096d38ff5',
    samples: 3,
    onProgress: () => undefined,
  }).run()
  console.log(Date.now() - t, end, run.result.exchanges)
  console.log(run.result.findings.map((f) => `${f.key} | ${f.text} | ${JSON.stringify(f.sample)}`).join('\n'))
  console.log(
    Object.entries(run.result.notCovered)
      .map((e) => e.join(' => '))
      .join('\n'),
  )
  expect(run.result.findings).toEqual([])
}, 300_000)
