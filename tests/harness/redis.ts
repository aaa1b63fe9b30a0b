import { spawn, type ChildProcess } from 'node:child_process'
import { connect } from 'node:net'
import { until } from './process.ts'

/** Starts a Redis without persistence. @param options further options of its command line */
export async function startRedis(port: number, ...options: readonly string[]): Promise<ChildProcess> {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', ...options]
  const redis = spawn('redis-server', settings, { stdio: 'ignore' })
  await until(async () => (await isListening(port)) || undefined)
  return redis
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Kills a process and waits for its end. */
export async function endProcess(process: ChildProcess | undefined): Promise<void> {
  if (!process || process.exitCode !== null) return
  const ended = new Promise((resolve) => process.once('exit', resolve))
  process.kill('SIGKILL')
  await ended
}
