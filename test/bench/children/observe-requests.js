// Preloaded into the local service: counts what is asked, and how many at the same time.
import diagnostics from 'node:diagnostics_channel'
import process from 'node:process'

const fresh = () => ({ lists: 0, reads: 0, most: 0, first: undefined, last: 0 })
let seen = fresh()
let inFlight = 0

diagnostics.subscribe('http.server.request.start', ({ request, response }) => {
  inFlight++
  seen.first ??= performance.now()
  seen.most = Math.max(seen.most, inFlight)
  if (request.url === '/api/v1/prompts') seen.lists++
  else seen.reads++
  response.once('close', () => {
    inFlight--
    seen.last = performance.now()
  })
})

process.on('message', () => {
  const { lists, reads, most, first = 0, last } = seen
  process.send?.({ lists, reads, most, span: last - first })
  seen = fresh()
})
process.channel?.unref()
