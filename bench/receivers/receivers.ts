import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { figuresOf } from '../processes/figures.ts'

export type ReceiverName = 'healthy' | 'slow' | 'failing' | 'dead'

export interface Receivers {
  /** The certificate that senders must trust. */
  readonly certFile: string
  url(name: ReceiverName): string
  /** Number of requests to each. */
  counts(): Promise<Readonly<Record<ReceiverName, number>>>
  /** Processor time of the receivers' process so far; NaN if the system does not report it. */
  processorSeconds(): number
  stop(): void
}

/** Starts webhook receivers on the loopback, over HTTPS. @param folder where their certificate is created */
export async function startReceivers(folder: string): Promise<Receivers> {
  const [keyFile, certFile] = [join(folder, 'receivers.key'), join(folder, 'receivers.crt')]
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-keyout', keyFile]
  const name = ['-subj', '/CN=receivers', '-addext', 'subjectAltName=DNS:localhost', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...key, ...name, '-out', certFile], { stdio: 'ignore' })
  const receivers = fork(join(import.meta.dirname, 'process.ts'), [keyFile, certFile], { stdio: 'inherit' })
  const [port] = (await once(receivers, 'message')) as [number]
  return {
    certFile,
    url: (path) => `https://localhost:${port}/${path}`,
    async counts() {
      const reply = once(receivers, 'message')
      receivers.send('counts')
      const [counts] = (await reply) as [Record<ReceiverName, number>]
      return counts
    },
    processorSeconds: () => (receivers.pid === undefined ? NaN : (figuresOf(receivers.pid).processorSeconds ?? NaN)),
    stop: () => receivers.disconnect(),
  }
}
