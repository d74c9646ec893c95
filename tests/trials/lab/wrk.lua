-- For wrk: pages in turn, or messages with a key and a sender of their own, and what came of them in one line of JSON.
-- wrk … -s wrk.lua <url> -- pages <encoding> <path> …
-- wrk … -s wrk.lua <url> -- messages <run> <token> [<pause>]: with a pause, each connection waits so many milliseconds on average
-- before it sends.
local threads = {}

function setup(thread)
  threads[#threads + 1] = thread
  thread:set("number", #threads)
end

function init(args)
  sent, asked = 0, {}
  if args[1] == "pages" then
    wrk.headers["Accept-Encoding"] = args[2]
    for number = 3, #args do asked[number - 2] = wrk.format("GET", args[number]) end
    return
  end
  run, token = args[2], args[3]
  wrk.headers["Accept-Encoding"] = "br"
  wrk.headers["X-API-Key"] = "website"
  wrk.headers["Content-Type"] = "application/json"
  wrk.method = "POST"
  local pause = tonumber(args[4])
  if pause then
    delay = function() return math.random(0, 2 * pause) end
  end
end

function request()
  if not run then
    sent = sent % #asked + 1
    return asked[sent]
  end
  sent = sent + 1
  local key = string.format("%s-%04x-4000-8000-%012x", run, number, sent)
  local body = '{"key":"' .. key .. '","token":"' .. token .. '","full_name":"Ada Lovelace","email":"' .. key .. '@example.com",' ..
    '"phone":"+44 20 7946 0958","subject":"A question","message":"Do you write programs for machines that do not exist yet?"}'
  return wrk.format(nil, nil, nil, body)
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format('JSON {"requests":%d,"seconds":%.4f,"p50_ms":%.2f,"p99_ms":%.2f,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
