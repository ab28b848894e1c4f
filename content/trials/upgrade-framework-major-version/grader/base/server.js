// playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
const app = require("./app");

app.listen(process.env.PORT || 3000, "127.0.0.1");
