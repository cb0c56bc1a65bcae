// Preloaded into every measured process: reports its CPU time when it exits.
import process from 'node:process'

const { channel } = process
channel?.unref()
process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  if (process.connected) process.send?.({ cpu: (userCPUTime + systemCPUTime) / 1000 })
})
