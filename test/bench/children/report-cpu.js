// Preloaded into every measured process: reports its CPU time and its most memory when it exits.
import process from 'node:process'

const { channel } = process
channel?.unref()
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  if (process.connected)
    process.send?.({ cpu: (userCPUTime + systemCPUTime) / 1000, memory: maxRSS * 1024 })
})
