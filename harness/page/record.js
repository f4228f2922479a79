// Reads a record of a user: a file of a fixed format, or a table of numbers below a row of names.
//
// `rules` are the rules and messages of the command, written by `record_rules` of page_table.py:
// units, patterns of usual names, separators, fixed formats. If the file does not name columns or
// units, the page asks for them and makes no assumption. A refusal then contains the question and
// its subject. Ambiguous files are rejected.

// The reason why a file is not read, and the ids of the controls that answer it, without `read-`.
const refusal = (problem, asks = []) => Object.assign(new Error(problem), { asks });

// A text of the command, with its values.
const told = ({ refusals }, text, values = {}) => refusals[text].replace(/\{(\w+)\}/g, (_, name) => values[name]);

// UTF-16 has a mark. A file that is not UTF-8 is read as Windows-1252, which spreadsheets write.
const decoded = (bytes, rules) => {
  const mark = { "255,254": "utf-16le", "254,255": "utf-16be" }[bytes.slice(0, 2).join()];
  if (mark) return new TextDecoder(mark).decode(bytes);
  if (bytes.includes(0)) throw refusal(told(rules, "binary"));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
};

const shown = (text) => `'${text.length > 40 ? `${text.slice(0, 40)}…` : text}'`;
const isNumber = (text) => /^[+-]?(\d+\.?|\d*[.,]\d+)(e[+-]?\d+)?$/i.test(text);
const numberOf = (text, line, rules) => {
  const number = isNumber(text) ? Number(text.replace(",", ".")) : NaN;
  if (!Number.isFinite(number)) throw refusal(`line ${line}: ${told(rules, "not_finite", { text: shown(text) })}`);
  return number;
};

// A format with a text header and values only. `fixed` is the table of these formats.
const fixedOf = (lines, isOpen, rules) => {
  for (const { name, head_lines, ends, facts, number } of rules.fixed) {
    const at = lines.slice(0, head_lines).findIndex((line) => ends.some((end) => RegExp(end, "i").test(line)));
    if (at < 0) continue;
    const groups = { ...ends.map((end) => RegExp(end, "i").exec(lines[at])).find((match) => match).groups };
    for (const [words, fact] of Object.entries(facts)) {
      const match = RegExp(fact, "im").exec(lines.slice(0, at + 1).join("\n"));
      if (!match) throw refusal(told(rules, "missing_fact", { words: `'${words}'`, format: name }));
      Object.assign(groups, match.groups);
    }
    if (isOpen) throw refusal("does not end as lines do and may be cut; if it is whole, end it with a line break");
    const { count, unit, factor = 1, divisor = 1 } = groups;
    const step = groups.step ? Number(groups.step) : 1 / groups.rate;
    const values = lines.slice(at + 1).flatMap((line, below) =>
      (line.match(RegExp(number, "g")) ?? []).map((word) => (factor / divisor) * numberOf(word, at + below + 2, rules)));
    if (count && values.length !== Number(count)) {
      throw refusal(told(rules, "other_count", { values: values.length, count: Number(count) }));
    }
    const columns = [values.map((_, row) => row * step), values];
    return { form: name, isFixed: true, names: ["time [s]", `acceleration [${unit}]`], units: [], columns, notes: [], skipped: [] };
  }
  return null;
};

// A separator between quotation marks becomes a zero character, which is not part of a number.
const cellsOf = (text, mark) => {
  const bare = text.replace(/"([^"]*)"/g, (_, quoted) => quoted.replaceAll(mark || /\s/g, "\0")).trim();
  if (mark === "") return bare.replace(/\s+(?=[[(])/g, "").split(/\s+/);
  return bare.split(mark).map((cell) => cell.trim());
};
// A separator at the end of a row does not start a column.
const numbersIn = (text, mark) => cellsOf(text, mark).filter((cell, at, { length }) => cell !== "" || at === 0 || at + 1 < length);
const markOf = (text, { marks }) => {
  const mark = Object.keys(marks).find((known) => known && text.includes(known)) ?? "";
  return mark === "," && !numbersIn(text, mark).every(isNumber) ? "" : mark;
};

const tableOf = (lines, isOpen, rules) => {
  const rows = lines.map((line, at) => ({ text: line.trim(), line: at + 1 })).filter(({ text }) => text);
  const first = rows.findIndex(({ text }) => !text.startsWith("#") && numbersIn(text, markOf(text, rules)).every(isNumber));
  if (first < 0) throw refusal(told(rules, "no_numbers"));
  const mark = markOf(rows[first].text, rules);
  const [width, count] = [cellsOf, numbersIn].map((part) => part(rows[first].text, mark).length);
  const below = rows.slice(first).filter(({ text }) => !text.startsWith("#"));
  const notes = [];
  if (isOpen && below.at(-1).line === lines.length) {
    notes.push(`last line left out: ${shown(below.pop().text)} may be cut; if it is whole, end it with a line break`);
  }
  const cells = below.map(({ text }) => numbersIn(text, mark));
  const torn = below[cells.findIndex((row) => row.length !== count)];
  if (torn) {
    const cells = numbersIn(torn.text, mark).length;
    throw refusal(`line ${torn.line}: ${told(rules, "torn_row", { cells, columns: count })}`);
  }
  const columns = Array.from({ length: count }, (_, at) => cells.map((row, i) => numberOf(row[at], below[i].line, rules)));
  const some = (sign) => cells.some((row) => row.some((cell) => cell.includes(sign)));
  if (some(",") && some(".")) throw refusal("has decimal points and decimal commas: write all with points");
  const above = rows.slice(0, first).map(({ text }) => text).filter((text) => /[\p{L}\p{N}]/u.test(text));
  // A row of numbers and words is probably a typing error and must not be skipped.
  const last = above.length && !above.at(-1).startsWith("#") ? cellsOf(above.at(-1), mark) : [];
  if (last.some(isNumber) && (last.length === count || (last.length > 1 && isNumber(last[0])))) {
    throw refusal(`${shown(above.at(-1))} must be numbers or names alone`);
  }
  const heads = above.map((text) => ({ text, row: cellsOf(text.replace(/^[#\s]+/, ""), mark) }))
    .filter(({ row }) => (row.length === width || row.length === count) && !row.some(isNumber));
  const isUnit = (cell) => unitOf(cell, rules) !== undefined;
  const units = heads.at(-1)?.row.every((cell) => cell === "" || cell === "-" || isUnit(cell)) ? heads.pop() : null;
  // If a unit is between the names, their columns are unknown.
  const names = heads.at(-1)?.row.some((cell) => isUnit(cell) || cell.endsWith(",")) ? null : heads.at(-1);
  if (mark === "," && !names && cells.every((row) => row.every((cell) => !cell.includes(".")))) {
    throw refusal("has commas that may mark decimals: write a name above each column, or separate columns by semicolons");
  }
  // A row with more words than columns is a sentence.
  const uneven = above.slice(-2).map((text) => numbersIn(text.replace(/^[#\s]+/, ""), mark)).find((row) =>
    row.length > 1 && row.length !== count && row.length !== width && (mark || row.length < count) && row.some((cell) => isTimeName(cell, rules)));
  if (uneven) {
    throw refusal(`line ${rows[first].line}: ${told(rules, "torn_row", { cells: count, columns: uneven.length })}`);
  }
  const skipped = above.filter((text) => text !== names?.text && text !== units?.text);
  if (skipped.length) notes.push(`${skipped.length} line(s) of text skipped above the numbers`);
  const written = (names?.row ?? []).map((name) => name.replaceAll("\0", mark || " "));
  return { form: `${rules.marks[mark]}-separated`, names: written, units: units?.row ?? [], columns, notes, skipped };
};

// Whether a name begins with a usual name of a quantity, with or without `_` and a unit.
const usualName = (quantity, name, { names }) =>
  RegExp(`^(?:${names[quantity]})(?:_(\\S+))?(?![\\p{L}\\p{N}_])`, "iu").exec(name) ?? [];
const isTimeName = (cell, rules) => {
  const bare = cell.replace(/[[({].*/s, "").trim();
  return usualName("time", bare, rules)[0] === bare;
};
const namesOf = ({ names, columns }) => columns.map((_, at) => names[at] || `column ${at + 1}`);
const isRising = (values) => values.every((value, at) => !at || value > values[at - 1]);

// Index of a column: the chosen column, the column with a usual name, or the remaining one of two.
const columnOf = (table, role, chosen, rules, other) => {
  const { names, columns } = table;
  if (chosen > columns.length) throw refusal(`has ${columns.length} column(s) and must have column ${chosen}`);
  if (chosen) return chosen - 1;
  const fitting = names.flatMap((name, at) => {
    const [fits, unit] = usualName(role, name, rules);
    return fits && (!unit || unitOf(unit, rules)) ? [at] : [];
  });
  if (fitting.length === 1) return fitting[0];
  if (!fitting.length && columns.length === 2 && other !== undefined) return 1 - other;
  if (!names.length && role === "time" && isRising(columns[0]) && !columns.slice(1).some(isRising)) return 0;
  throw refusal(`choose the column of the ${role} below, one of: ${namesOf(table).join(", ")}`, [role]);
};

const unitOf = (text, { known }) => {
  const plain = text.replaceAll("²", "2").replace(/\^|\*\*|\s/g, "").replace(/\/s\/s$/, "/s2");
  return known[[plain, plain.toLowerCase()].find((spelling) => Object.hasOwn(known, spelling))];
};

// The chosen unit, or the unit in brackets in the name or alone below it, if no other word of the
// column is a unit of the quantity.
const unitFor = ({ names, units, skipped }, at, quantity, chosen, rules) => {
  const texts = [...(names[at] ?? "").matchAll(/[[({]([^\])}]*)[\])}]/g)].map((match) => match[1]);
  if (units[at] && units[at] !== "-") texts.push(units[at].replace(/^[[({]|[\])}]$/g, ""));
  const said = texts.map((text) => unitOf(text, rules));
  const words = [names[at] ?? "", ...skipped].flatMap((text) => text.split(/[\s,;:|#_[\](){}]+/));
  const others = words.map((word) => unitOf(word, rules)).filter((unit) => unit?.quantity === quantity);
  const isPlain = texts.length && [...said, ...others].every((unit) => unit?.quantity === quantity && unit.name === said[0].name);
  const header = texts.length ? `the header says ${texts.map(shown).join(" and ")}` : "the header says none";
  const own = unitOf(chosen ?? "", rules);
  if (own?.quantity === quantity) return { ...own, because: `as chosen; ${header}` };
  return isPlain ? { ...said[0], because: header } : { missing: `the unit of the ${quantity}s (${header})` };
};

// The signals in SI units, or a refusal. See `readRecord` for the arguments.
const signalsOf = (table, reading, rules) => {
  const { interval = 0, scale = 0 } = reading;
  if (interval > 0 && (table.isFixed || table.columns.length > 1)) {
    throw refusal("has times of its own, or decimal commas: leave out the sampling interval, or write decimals with points");
  }
  if (interval > 0) {
    const columns = [table.columns[0].map((_, row) => row * interval), table.columns[0]];
    Object.assign(table, { columns, names: ["time", table.names[0] ?? ""], units: ["s", table.units[0] ?? ""] });
  }
  if (table.columns.length === 1) throw refusal("has one column of numbers: give their sampling interval below", ["interval"]);
  const at = { time: columnOf(table, "time", reading.time, rules) };
  at.acceleration = columnOf(table, "acceleration", reading.acceleration, rules, at.time);
  if (reading.normal) at["normal acceleration"] = columnOf(table, "normal acceleration", reading.normal, rules);
  const columns = Object.values(at);
  if (columns.lastIndexOf(at.time) > 0) throw refusal("the time must be another column than an acceleration", ["time"]);
  const wanted = (i) => (i ? ["acceleration", reading.unit] : ["time", reading.time_unit]);
  const units = columns.map((column, i) => unitFor(table, column, ...wanted(i), rules));
  const asks = units.flatMap((unit, i) => (unit.missing ? [i ? "unit" : "time_unit"] : []));
  if (asks.length) throw refusal(`choose ${units.flatMap((unit) => unit.missing ?? []).join(" and ")} below`, asks);
  const [raw, ...signals] = columns.map((column, i) => Float64Array.from(table.columns[column], (value) => units[i].factor * value));
  if (raw.length < 2) throw refusal(told(rules, "few_points", { points: raw.length }));
  const back = raw.findIndex((time, row) => row > 0 && !(time > raw[row - 1]));
  if (back > 0) throw refusal(told(rules, "not_later", { time: raw[back], before: raw[back - 1] }));
  const again = units.findIndex(({ factor }, i) => i && scale && factor !== 1 && Math.abs(Math.abs(scale) - factor) < rules.nearly * factor);
  if (again > 0) {
    const values = { scale, unit: units[again].name, column: shown(namesOf(table)[columns[again]]) };
    throw refusal(told(rules, "converted_twice", values));
  }
  const [acceleration, normal = null] = signals.map((signal) => {
    const scaled = scale ? signal.map((value) => scale * value) : signal;
    const mean = reading.remove_mean ? scaled.reduce((sum, value) => sum + value, 0) / scaled.length : 0;
    return mean ? scaled.map((value) => value - mean) : scaled;
  });
  const size = `${raw.length} points on [${general(raw[0])}, ${general(raw.at(-1))}] s, peak ${general(largestOf(acceleration), 4)} m/s2`;
  const taken = Object.keys(at).map(
    (role, i) => `${role} from ${shown(namesOf(table)[columns[i]])} in ${units[i].name} (${units[i].because})`,
  );
  const understood = [`${table.form}; ${size}`, ...taken, ...table.notes];
  return { times: raw, acceleration, normal, understood, unit: units[1].name };
};

// Read the bytes of a file. `reading` contains the chosen columns, from 1, units, interval, scale
// and remove_mean.
const readRecord = (name, bytes, reading, rules) => {
  let table;
  const answer = (content) => ({ problem: "", asks: [], name, names: table ? namesOf(table) : [], ...content });
  try {
    const text = decoded(bytes, rules);
    const isOpen = /[^\r\n]$/.test(text);
    const lines = text.replace(/(\r\n|\n|\r)$/, "").split(/\r\n|\n|\r/);
    table = fixedOf(lines, isOpen, rules) ?? tableOf(lines, isOpen, rules);
    return answer(signalsOf(table, reading, rules));
  } catch (problem) {
    if (!problem.asks) throw problem;
    return answer({ problem: `${name}: ${problem.message}`, asks: problem.asks });
  }
};
