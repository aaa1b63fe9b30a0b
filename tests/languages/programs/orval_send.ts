/** Sends a request to the service, with the token; orval has each operation call it. */
export async function send<Answer>(path: string, options: RequestInit): Promise<Answer> {
  const headers = new Headers(options.headers)
  headers.set('Authorization', `Bearer ${process.env['TOKEN']}`)
  headers.set('Service-Version', '2026-03-11')
  const response = await fetch(`${process.env['SERVICE']}${path}`, { ...options, headers })
  return { data: await response.json(), status: response.status, headers: response.headers } as Answer
}
