"""A standalone Spark cluster on the loopback address."""

import os
import signal
import socket
import subprocess
import tempfile
import time

import pyspark

from asof_spark import session

HOME = os.path.dirname(pyspark.__file__)
JAVA = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"


class Cluster:
    """A master and workers of one core each, and a session on them."""

    def __init__(self, workers=2, memory="1g", **config):
        self.logs = tempfile.mkdtemp(prefix="asof-spark-logs-")
        self.environ = dict(os.environ, SPARK_HOME=HOME, SPARK_LOCAL_IP="127.0.0.1",
                            SPARK_DAEMON_MEMORY="256m", SPARK_NO_DAEMONIZE="1")
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        port = free_port()
        self.url = f"spark://127.0.0.1:{port}"
        self.processes = [self._start("master", "org.apache.spark.deploy.master.Master",
                                      "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")]
        wait(lambda: listening(port), "the master")
        for n in range(workers):
            self.processes.append(self._start(
                f"worker{n}", "org.apache.spark.deploy.worker.Worker", self.url, "--host", "127.0.0.1",
                "--cores", "1", "--memory", memory, "--webui-port", "0",
                "--work-dir", os.path.join(self.logs, f"work{n}")))
        self.spark = session(self.url, **{
            "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
            # Jobs are short: a JVM that optimises more spends more than it gains.
            "spark.driver.extraJavaOptions": JAVA, "spark.executor.extraJavaOptions": JAVA,
            "spark.driver.memory": "1g", "spark.executor.memory": memory, "spark.executor.cores": "1",
            "spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "4",
            "spark.ui.showConsoleProgress": "false", **config})
        self.spark.sparkContext.setLogLevel("ERROR")
        wait(lambda: self.executors() == workers, "the executors")

    def _start(self, name, main, *arguments):
        log = open(os.path.join(self.logs, f"{name}.log"), "w")
        command = [os.path.join(HOME, "bin", "spark-class"), main, *arguments]
        return subprocess.Popen(command, env=self.environ, stdout=log, stderr=subprocess.STDOUT)

    def executors(self):
        """How many executors run tasks; the driver is none."""
        status = self.spark.sparkContext._jsc.sc().statusTracker()
        return len(status.getExecutorInfos()) - 1

    def kill_worker(self):
        """Kills a worker and its executors, without notice."""
        worker = self.processes.pop()
        for pid in [*children(worker.pid), worker.pid]:
            os.kill(pid, signal.SIGKILL)
        worker.wait()

    def stop(self):
        self.spark.stop()
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            process.wait(30)


def children(pid):
    """Processes that a process has started, and theirs."""
    with open(f"/proc/{pid}/task/{pid}/children") as listed:
        direct = [int(child) for child in listed.read().split()]
    # A JVM starts processes from any of its threads.
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/children") as listed:
            direct += [int(child) for child in listed.read().split()]
    return [found for child in sorted(set(direct)) for found in (child, *children(child))]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def listening(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def wait(condition, what, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"{what} did not start within {seconds} s")
        time.sleep(0.1)
