// Preloaded into every measured process: tells its peak memory and processor time when it ends.
import process from 'node:process'

const { channel } = process
channel?.unref()
process.on('exit', () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  if (process.connected) process.send?.({ peak: maxRSS, cpu: (userCPUTime + systemCPUTime) / 1000 })
})
