/** A typical Express server: GET returns fixed JSON, PATCH parses its body and returns it. */

import { readFileSync } from 'node:fs'
import express from 'express'

const [port, payloadFile = ''] = process.argv.slice(2)
const payload: unknown = JSON.parse(readFileSync(payloadFile, 'utf8'))

const app = express()
app.use(express.json({ limit: '500kb' }))
app.get('/{*path}', (_request, response) => {
  response.json(payload)
})
app.patch('/{*path}', (request, response) => {
  const body: unknown = request.body
  response.json(body)
})
app.listen(Number(port), '127.0.0.1')
