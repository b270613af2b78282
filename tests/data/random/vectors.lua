-- lua5.4 vectors.lua > lua.json
local function take(count, next)
  local values = {}
  for i = 1, count do values[i] = tostring(next(i)) end
  return "[" .. table.concat(values, ", ") .. "]"
end

local rows = {}
for i, seed in ipairs({0, 1, 42, -1, 860, 2147483648, 4294967295, 34359738367}) do
  math.randomseed(seed)
  local words = take(8, function() return math.random(0) end)
  math.randomseed(seed)
  local below = take(51, function(k) return math.random(53 - k) - 1 end)
  math.randomseed(seed)
  local fractions = take(8, function() return math.floor(math.random() * 52) end)
  rows[i] = string.format(
    '{"seed": %d, "words": %s, "below_52_to_2": %s, "fraction_times_52": %s}',
    seed, words, below, fractions)
end
print('{"source": "math.random of ' .. _VERSION .. ' (vectors.lua)", "rows": [')
print(table.concat(rows, ",\n") .. "]}")
