// Preloaded into every measured process: reports its peak memory and CPU time when it exits.
import process from 'node:process'

const { channel } = process
channel?.unref()
process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  if (process.connected) process.send?.({ peak: maxRSS, cpu: (userCPUTime + systemCPUTime) / 1000 })
})
