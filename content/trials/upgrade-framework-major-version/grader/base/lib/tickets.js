// playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
// Tickets in memory.
let tickets = [
  { id: 1, title: "Printer on fire", status: "open", from: "ann" },
  { id: 2, title: "Mouse gone", status: "closed", from: "bob" },
  { id: 3, title: "No coffee", status: "open", from: "bob" },
];

exports.found = (filter) =>
  tickets.filter((ticket) => Object.entries(filter).every(([key, value]) => [].concat(value).includes(ticket[key])));
exports.one = (id) => tickets.find((ticket) => ticket.id === Number(id));
exports.add = (title, from) => {
  const ticket = { id: tickets.length + 1, title, status: "open", from };
  tickets.push(ticket);
  return ticket;
};
exports.close = (id) => {
  const ticket = exports.one(id);
  if (ticket) ticket.status = "closed";
};
exports.remove = (id) => {
  const there = tickets.length;
  tickets = tickets.filter((ticket) => ticket.id !== Number(id));
  return tickets.length < there;
};
