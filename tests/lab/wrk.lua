-- For wrk: messages with a key of their own each, and what came of them in one line of JSON.
-- wrk … -s wrk.lua <url> -- <run> <token> [<pause>]; without the two it asks for the page it was given. With a pause, each connection
-- waits so many milliseconds on average before it sends.
local threads = {}

function setup(thread)
  threads[#threads + 1] = thread
  thread:set("number", #threads)
end

function init(args)
  run, token, sent = args[1], args[2], 0
  wrk.headers["Accept-Encoding"] = "br"
  if run then
    wrk.headers["X-API-Key"] = "website"
    wrk.headers["Content-Type"] = "application/json"
    wrk.method = "POST"
  end
  local pause = tonumber(args[3])
  if pause then
    delay = function() return math.random(0, 2 * pause) end
  end
end

function request()
  if not run then return wrk.format() end
  sent = sent + 1
  local key = string.format("%s-%04x-4000-8000-%012x", run, number, sent)
  local body = '{"key":"' .. key .. '","token":"' .. token .. '","full_name":"Ada Lovelace","email":"ada@example.com",' ..
    '"phone":"+44 20 7946 0958","subject":"A question","message":"Do you write programs for machines that do not exist yet?"}'
  return wrk.format(nil, nil, nil, body)
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format('JSON {"requests":%d,"seconds":%.4f,"p50_ms":%.2f,"p99_ms":%.2f,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
