// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/integration/mutant_place.h"

#include <cstring>
#include <utility>

namespace fabrictwin {

MutantPlace::MutantPlace(const std::string& listen, const std::string& worker, Defect defect)
    : defect_(std::move(defect)),
      worker_(v1::Bridge::NewStub(grpc::CreateChannel(worker, grpc::InsecureChannelCredentials()))) {
  grpc::ServerBuilder builder;
  builder.AddListeningPort(listen, grpc::InsecureServerCredentials());
  builder.RegisterService(this);
  server_ = builder.BuildAndStart();
}

MutantPlace::~MutantPlace() { server_->Shutdown(std::chrono::system_clock::now()); }

grpc::Status MutantPlace::Hello(grpc::ServerContext*, const v1::HelloRequest* request, v1::HelloResponse* response) {
  grpc::ClientContext context;
  const grpc::Status status = worker_->Hello(&context, *request, response);
  return defect_.hello ? defect_.hello(status, *response) : status;
}

grpc::Status MutantPlace::Describe(grpc::ServerContext*, const v1::DescribeRequest* request,
                                   v1::DescribeResponse* response) {
  grpc::ClientContext context;
  const grpc::Status status = worker_->Describe(&context, *request, response);
  if (defect_.describe) defect_.describe(*response);
  return status;
}

grpc::Status MutantPlace::Configure(grpc::ServerContext*, const v1::ConfigureRequest* request,
                                    v1::ConfigureResponse* response) {
  const std::lock_guard lock(mutex_);
  if (defect_.keeps_runs && left_) return {grpc::UNAVAILABLE, "busy"};
  grpc::ClientContext context;
  const grpc::Status status = worker_->Configure(&context, *request, response);
  return defect_.configure ? defect_.configure(status, running_) : status;
}

grpc::Status MutantPlace::Connect(grpc::ServerContext*, const v1::ConnectRequest* request,
                                  v1::ConnectResponse* response) {
  grpc::ClientContext context;
  const grpc::Status status = worker_->Connect(&context, *request, response);
  return defect_.connect ? defect_.connect(status) : status;
}

grpc::Status MutantPlace::Run(grpc::ServerContext* server,
                              grpc::ServerReaderWriter<v1::RunResponse, v1::RunRequest>* stream) {
  int run = 0;
  {
    const std::lock_guard lock(mutex_);
    run = ++runs_;
    running_ = true;
  }
  grpc::ClientContext context;
  const auto worker = worker_->Run(&context);
  v1::RunRequest request;
  v1::RunResponse response;
  bool right = true;
  while (stream->Read(&request)) {
    if (defect_.silent_from > 0 && run >= defect_.silent_from) continue;
    right = right && worker->Write(request) && worker->Read(&response);
    if (!right && !defect_.swallows) break;
    if (!right) response.Clear();
    if (!right) response.set_consumed(request.number());
    if (defect_.answer) defect_.answer(run, response);
    stream->Write(response);
  }
  const std::lock_guard lock(mutex_);
  running_ = false;
  left_ = left_ || server->IsCancelled();
  worker->WritesDone();
  const grpc::Status status = worker->Finish();
  if (defect_.swallows) return grpc::Status::OK;
  return defect_.ended ? defect_.ended(status) : status;
}

grpc::Status MutantPlace::Metrics(grpc::ServerContext*, const v1::MetricsRequest* request,
                                  v1::MetricsResponse* response) {
  grpc::ClientContext context;
  const grpc::Status status = worker_->Metrics(&context, *request, response);
  return defect_.metrics ? defect_.metrics(status, *request) : status;
}

grpc::Status MutantPlace::Stop(grpc::ServerContext*, const v1::StopRequest* request, v1::StopResponse* response) {
  grpc::ClientContext context;
  const grpc::Status status = worker_->Stop(&context, *request, response);
  return defect_.stop ? defect_.stop(status, *response) : status;
}

void for_each_record(v1::RunResponse& response, const std::function<void(MutantRecord&)>& change) {
  std::string& blob = *response.mutable_records();
  for (size_t at = 0; at + sizeof(MutantRecord) <= blob.size(); at += sizeof(MutantRecord)) {
    MutantRecord record;
    std::memcpy(&record, &blob[at], sizeof record);
    change(record);
    std::memcpy(&blob[at], &record, sizeof record);
  }
}

void erase_records(v1::RunResponse& response, const std::function<bool(const MutantRecord&)>& gone) {
  v1::RunResponse kept;
  for_each_record(response, [&](MutantRecord& record) {
    if (!gone(record)) add_record(kept, record);
  });
  response.set_records(kept.records());
}

void add_record(v1::RunResponse& response, const MutantRecord& record) {
  response.mutable_records()->append(reinterpret_cast<const char*>(&record), sizeof record);
}

}  // namespace fabrictwin
