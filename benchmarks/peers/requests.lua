-- For wrk: sends the requests of a file, NUL between them, in turn, and says what came of it as JSON.
local requests, at, pause = {}, 0, 0

function init(arguments)
  local file = assert(io.open(arguments[1], "rb"))
  for text in (file:read("*a") .. "\0"):gmatch("(.-)%z") do requests[#requests + 1] = text end
  file:close()
  pause = tonumber(arguments[2])
  if pause == 0 then delay = nil end
end

function delay() return pause end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local wrong = summary.errors
  local failed = wrong.connect + wrong.read + wrong.write + wrong.status + wrong.timeout
  print(string.format('{"good": %d, "seconds": %f, "failed": %d, "p50": %f, "p99": %f}',
    summary.requests - wrong.status, summary.duration / 1e6, failed,
    latency:percentile(50) / 1e6, latency:percentile(99) / 1e6))
end
